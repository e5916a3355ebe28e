// Agents as tools of the Model Context Protocol, called with the protocol's own client library, and charged in the ledger.

import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { type ApiClient, type Json, waitUntil } from '@tollgate/testkit';
import { must, SANDBOX_MODEL } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

/** Price of the harness's tiers per token of the sandbox's model. */
const PRICE = { input: 100, output: 300 };

const system = useSystem({ mode: 'separate processes', replicas: { 'edge-gateway': 2 } });
const project = useProject(system);
let names = 0;
const open: Client[] = [];

afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

async function connect(
  credential: string,
  { headers = {}, sessionId }: { headers?: Record<string, string>; sessionId?: string | undefined } = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  open.push(client);
  const requestInit = { headers: { Authorization: `Bearer ${credential}`, ...headers } };
  const options = { requestInit, ...(sessionId !== undefined && { sessionId }) };
  await client.connect(new StreamableHTTPClientTransport(new URL('/v1/mcp', system.stack.httpUrl), options));
  return client;
}

async function agent(config: Json = {}, of = project): Promise<string> {
  names += 1;
  const body = { name: 'Helper', slug: `helper-${names}`, model: SANDBOX_MODEL, ...config };
  must(await of.api.post(`/projects/${of.id}/agents`, body), 201);
  return body.slug;
}

const readUsage = async (api: ApiClient) => must(await api.get('/customers/me/usage'), 200).usage;
const listRuns = async (api: ApiClient) => must(await api.get('/runs'), 200).runs;
const readText = (result: Json): string => result.content.at(-1).text;

/** A promise and its resolver. */
function pendingSignal(): { promise: Promise<void>; resolve(): void } {
  const signal = { promise: Promise.resolve(), resolve: () => {} };
  signal.promise = new Promise((resolve) => {
    signal.resolve = () => resolve();
  });
  return signal;
}

/** A tool that the sandbox can call in one way only. */
const KV_WRITE = {
  definition: {
    type: 'function',
    function: {
      name: 'kv_write',
      parameters: {
        type: 'object',
        properties: { key: { const: 'a' }, value: { const: '1' } },
        required: ['key', 'value'],
      },
    },
  },
};

describe('tools/list', () => {
  it('lists the agents of the project as tools, in pages', async () => {
    const other = await system.project();
    const slugs: string[] = [];
    for (let count = 0; count < 51; count += 1)
      slugs.push(await agent({ description: 'Helps.', system: 'secret' }, other));
    const client = await connect((await other.customerOn('free')).token);
    const first = await client.listTools();
    const second = await client.listTools({ cursor: first.nextCursor! });
    expect([first.tools.length, second.tools.length, second.nextCursor]).toEqual([50, 1, undefined]);
    const listed = [...first.tools, ...second.tools];
    expect(listed.map(({ name }) => name).sort()).toEqual(slugs.sort());
    expect(listed[0]).toMatchObject({ title: 'Helper', description: 'Helps.' });
    expect(listed[0]?.inputSchema).toMatchObject({ type: 'object', required: ['input'], additionalProperties: false });
    expect(JSON.stringify(listed)).not.toContain('secret');
  });

  it("shows a customer no other project's agents", async () => {
    const slug = await agent();
    const other = await system.project();
    const client = await connect((await other.customerOn('free')).token);
    expect((await client.listTools()).tools).toEqual([]);
    await expect(client.callTool({ name: slug, arguments: { input: 'hi' } })).rejects.toThrow('tools/list names');
    expect(await listRuns(other.api)).toEqual([]);
  });

  it('rejects a cursor of its own making', async () => {
    const client = await connect((await project.customerOn('free')).token);
    await expect(client.listTools({ cursor: '!' })).rejects.toThrow('nextCursor');
  });
});

describe('tools/call', () => {
  it('runs the agent, reports progress and charges the customer exactly once', async () => {
    const slug = await agent({ tools: [KV_WRITE] });
    const customer = await project.customerOn('free');
    const client = await connect(customer.token);
    const progress: { progress: number; message?: string | undefined }[] = [];
    const result: Json = await client.callTool({ name: slug, arguments: { input: 'call tool kv_write' } }, undefined, {
      onprogress: (step) => progress.push(step),
    });
    expect(result.isError).toBeUndefined();
    expect(readText(result)).toBe('kv_write returned: {"ok":true}');
    const { run_id: runId, usage } = result._meta;
    // On a slow machine, the pauses between the steps are reported too.
    const messages = progress.map(({ message }) => message).filter((message) => message !== 'still running');
    expect(messages).toEqual([
      `run ${runId} started`,
      'the model answered step 0',
      'calling kv_write',
      'kv_write returned',
      'the model answered step 1',
    ]);
    expect(progress.map(({ progress: value }) => value)).toEqual(progress.map((_, at) => at + 1));
    const cost = usage.total_input_tokens * PRICE.input + usage.total_output_tokens * PRICE.output;
    expect(usage.total_cost_microcents).toBe(cost);
    expect(await readUsage(customer.api)).toMatchObject({ requests: 2, total_cost_microcents: cost });
    expect((await listRuns(customer.api)).map(({ run_id: id }: Json) => id)).toEqual([runId]);
    expect(await project.verify()).toMatchObject({ differences: [], open_holds: 0 });
  });

  it('takes the input that an agent declares', async () => {
    const input_schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const slug = await agent({ input_schema });
    const client = await connect((await project.customerOn('free')).token);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === slug)?.inputSchema).toEqual(input_schema);
    expect(readText(await client.callTool({ name: slug, arguments: { city: 'Bern' } }))).toBe('Echo: {"city":"Bern"}');
    expect(await client.callTool({ name: slug, arguments: {} })).toMatchObject({ isError: true });
    const update = { input_schema: { type: 'object', properties: { a: { pattern: '(?=x)' } } } };
    const refused = await project.api.patch(`/projects/${project.id}/agents/${slug}`, update);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('input_schema: is not a usable JSON Schema');
  });

  it('charges a request of one session that is repeated while it runs once, at every edge', async () => {
    const slug = await agent();
    const customer = await project.customerOn('free');
    const send = (baseUrl: string, body: Json, headers: Record<string, string>) =>
      fetch(new URL('/v1/mcp', baseUrl), {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${customer.token}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify(body),
      });
    const initialize = {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    };
    const session = (await send(system.stack.httpUrl, initialize, {})).headers.get('mcp-session-id')!;
    const call = {
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: slug, arguments: { input: 'once wait 4000 ms' } },
    };
    const edges = [system.stack.httpUrl, new URL(system.at('edge-gateway-2').baseUrl).origin];
    const answers = await Promise.all(
      edges.map(async (edge) => (await send(edge, call, { 'Mcp-Session-Id': session })).text()),
    );
    expect(answers[0]).toContain('Echo: once');
    expect(answers[1]).toBe(answers[0]);
    expect(await readUsage(customer.api)).toMatchObject({ requests: 1 });
    expect((await send(edges[0]!, call, { 'Mcp-Session-Id': 'made-up' })).status).toBe(404);
    expect(await readUsage(customer.api)).toMatchObject({ requests: 1 });
  });

  it('starts runs of its own for a client that connects again with its session and counts from zero', async () => {
    const slug = await agent();
    const customer = await project.customerOn('free');
    const client = await connect(customer.token);
    const { sessionId } = client.transport as StreamableHTTPClientTransport;
    const call = (of: Client, input: string) => of.callTool({ name: slug, arguments: { input } });
    await call(client, 'first');
    const again = await connect(customer.token, { sessionId });
    const texts: string[] = [];
    for (const input of ['second', 'first', 'third']) texts.push(readText(await call(again, input)));
    expect(texts).toEqual(['Echo: second', 'Echo: first', 'Echo: third']);
    expect(await readUsage(customer.api)).toMatchObject({ requests: 4 });
  });

  it('cancels the run when the client cancels its request, and stops charging', async () => {
    const slug = await agent();
    const customer = await project.customerOn('free');
    const client = await connect(customer.token);
    const cancellation = new AbortController();
    const started = pendingSignal();
    const params = { name: slug, arguments: { input: 'wait 60000 ms' } };
    const calling = client.callTool(params, CallToolResultSchema, {
      signal: cancellation.signal,
      onprogress: () => started.resolve(),
    });
    const outcome = expect(calling).rejects.toThrow();
    await started.promise;
    void cancellation.abort('enough');
    await outcome;
    await waitUntil(async () => (await listRuns(customer.api))[0]?.status === 'canceled', { what: 'a canceled run' });
    await waitUntil(async () => (await project.verify()).open_holds === 0, { what: 'no open hold' });
  });

  it("does not cancel another customer's run of the same session and request id", async () => {
    const slug = await agent();
    const [victim, stranger] = [await project.customerOn('free'), await project.customerOn('free')];
    const client = await connect(victim.token);
    const started = pendingSignal();
    const params = { name: slug, arguments: { input: 'wait 5000 ms' } };
    const calling = client.callTool(params, CallToolResultSchema, { onprogress: () => started.resolve() });
    await started.promise;
    const { sessionId } = client.transport as StreamableHTTPClientTransport;
    for (const requestId of [0, 1, 2, 3]) {
      const res = await fetch(new URL('/v1/mcp', system.stack.httpUrl), {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${stranger.token}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'Mcp-Session-Id': sessionId!,
        },
        body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }),
      });
      expect(res.status).toBe(202);
    }
    expect(await calling).not.toHaveProperty('isError');
    expect((await listRuns(victim.api))[0]).toMatchObject({ status: 'succeeded' });
  }, 60_000);

  it('returns refusals and failures as errors that say what to do', async () => {
    const slug = await agent();
    const poor = await connect((await project.customerOn('free', { spendLimitCents: 0 })).token);
    const refused: Json = await poor.callTool({ name: slug, arguments: { input: 'hi' } });
    expect(refused).toMatchObject({ isError: true });
    expect(readText(refused)).toMatch(/^TIER_ALLOWANCE_EXHAUSTED: .*top-up or another plan/);
    const client = await connect((await project.customerOn('free')).token);
    const wrong: Json = await client.callTool({ name: slug, arguments: { text: 'hi' } });
    expect(wrong).toMatchObject({ isError: true });
    expect(readText(wrong)).toMatch(/arguments\.input: .*Correct the arguments/);
    const failed: Json = await client.callTool({ name: slug, arguments: { input: 'fail with 500' } });
    expect(failed).toMatchObject({ isError: true });
    expect(readText(failed)).toMatch(/^PROVIDER_ERROR: .*again later/);
  });

  it("hides the owner's finances from customers", async () => {
    const broke = await system.project({ fundsCents: 0 });
    const slug = await agent({}, broke);
    const client = await connect((await broke.customerOn('free')).token);
    const refused: Json = await client.callTool({ name: slug, arguments: { input: 'hi' } });
    expect(refused).toMatchObject({ isError: true });
    expect(readText(refused)).toMatch(/^SERVICE_UNAVAILABLE: /);
    expect(JSON.stringify(refused)).not.toMatch(/PROVIDER_ACCOUNT_UNFUNDED|balance/);
  });

  it('runs for the customer that a secret key names', async () => {
    const slug = await agent();
    const customer = await project.customerOn('free');
    const client = await connect(project.secretKey, { headers: { 'X-Service-Customer-Id': customer.id } });
    await client.callTool({ name: slug, arguments: { input: 'hi' } });
    expect(await readUsage(customer.api)).toMatchObject({ requests: 1 });
  });
});

describe('the transport', () => {
  it('refuses a missing credential, another protocol version and a method that it lacks', async () => {
    await expect(connect('nonsense')).rejects.toThrow('invalid credentials');
    const client = await connect((await project.customerOn('free')).token);
    await expect(client.listPrompts()).rejects.toThrow();
    expect(await client.ping()).toEqual({});
    const { status } = await fetch(new URL('/v1/mcp', system.stack.httpUrl), {
      headers: { Authorization: `Bearer ${project.secretKey}` },
    });
    expect(status).toBe(405);
  });
});
