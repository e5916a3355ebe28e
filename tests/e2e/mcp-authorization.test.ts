// MCP servers that ask for OAuth, in agents: authorizations that are lost in the middle of a turn, and client credentials.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  type AuthorizationServer,
  type Json,
  type McpTestServer,
  startAuthorizationServer,
  startMcpServer,
} from '@tollgate/testkit';
import { must, SANDBOX_MODEL, type TestCustomer, type TestProject } from '../system/start-system.js';
import { useSystem } from '../system/use-system.js';

const CLIENT = { client_id: 'robot', client_secret: 's3cret-4711' };
/** Of a million tokens, in cents. */
const PRICE = { input: 100, output: 300 };
const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'call tool mcp__notes__find' }] }];

const system = useSystem();
let project: TestProject;
let customer: TestCustomer;
let provider: AuthorizationServer;
let server: McpTestServer;
/** Called when the tools are listed, at the start of a turn. */
let onListed: () => void;
let id: string;
beforeEach(async () => {
  onListed = () => undefined;
  const clientSecrets = { [CLIENT.client_id]: CLIENT.client_secret };
  provider = await startAuthorizationServer({ expiresInSeconds: 3_600, clientSecrets });
  const { issuer, accepts } = provider;
  server = await startMcpServer({
    get tools() {
      onListed();
      return [{ name: 'find', inputSchema: { type: 'object' as const } }];
    },
    oauth: { issuer, accepts },
  });
  project = await system.project();
  customer = await project.customerOn('free');
  const body = { name: 'notes', endpoint_url: server.url };
  id = must(await project.owner.post(`/projects/${project.id}/mcp-servers`, body), 201).server.id;
  const agent = { name: 'Helper', model: SANDBOX_MODEL, tools: [{ mcp_server: 'notes' }] };
  for (const more of [{ slug: 'helper' }, { slug: 'patient', tool_failure_policy: 'continue' }]) {
    must(await project.api.post(`/projects/${project.id}/agents`, { ...agent, ...more }), 201);
  }
});
afterEach(async () => {
  await server.stop();
  await provider.stop();
});

const path = (suffix = '') => `/projects/${project.id}/mcp-servers/${id}${suffix}`;
const readServer = async (): Promise<Json> => must(await project.owner.get(path()), 200).server;
const run = async (slug = 'helper'): Promise<Json> =>
  must(await customer.api.post(`/projects/${project.id}/agents/${slug}/run`, { input }), 200);
/** The outcome of a run whose server has lost its authorization, for an agent that stops at failed tools. */
const LOST = {
  status: 'failed',
  error: { code: 'PROVIDER_ERROR', message: expect.stringContaining('its owner has to connect it again') },
};
const readText = ({ output }: Json): string => output.at(-1).content[0].text;

/** Signs in at the authorization server as a browser does, and completes the connection in the owner's session. */
async function connectAccount(): Promise<void> {
  const { authorization_url: url } = must(await project.owner.post(path('/authorize'), {}), 200);
  const { headers } = await fetch(url, { redirect: 'manual' });
  const { state, code, iss } = Object.fromEntries(new URL(headers.get('location')!).searchParams);
  const connected = must(await project.owner.post(path('/authorization'), { state, code, iss }), 200);
  expect(connected.server.authorization_status).toBe('authorized');
}

/** Checks that the customer has paid for the tokens of these runs and for nothing else, and that the ledger agrees. */
async function expectExactMoney(runs: readonly Json[]): Promise<void> {
  const costs = runs.map(({ usage }) => {
    const cost = usage.total_input_tokens * PRICE.input + usage.total_output_tokens * PRICE.output;
    expect(usage.total_cost_microcents).toBe(cost);
    return cost;
  });
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
  const calls = runs.reduce((sum, { usage: { total_llm_calls: count } }) => sum + count, 0);
  expect([usage.requests, usage.total_cost_microcents]).toEqual([calls, total]);
  expect(await project.verify()).toMatchObject({ differences: [], open_holds: 0 });
}

it('ends a turn whose authorization is revoked in its middle, until the owner connects the server again', async () => {
  await connectAccount();
  onListed = () => provider.revoke();
  const lost = await run();
  expect(lost).toMatchObject({ ...LOST, usage: { total_llm_calls: 1, total_tool_calls: 1 } });
  expect(JSON.stringify(lost)).not.toMatch(/invalid_grant|at-|rt-/);
  expect(server.calls).toEqual([]);
  expect((await readServer()).authorization_status).toBe('authorization_required');
  const tested = must(await project.owner.post(path('/test')), 200);
  expect(tested).toMatchObject({ status: 'error', error: expect.stringContaining('new authorization') });

  const reported = await run('patient');
  expect(reported).toMatchObject({ status: 'succeeded', usage: { total_llm_calls: 2, total_tool_calls: 1 } });
  expect(readText(reported)).toContain('its owner has to connect it again');

  onListed = () => undefined;
  await connectAccount();
  const next = await run();
  expect(readText(next)).toContain('find was called');
  expect(server.calls).toHaveLength(1);
  await expectExactMoney([lost, reported, next]);
});

it('calls tools with client credentials, renews them, and loses them with the client', async () => {
  const connect = (secret: string) =>
    project.owner.put(path('/client-credentials'), { ...CLIENT, client_secret: secret });
  const refused = must(await connect('wrong'), 409);
  expect(refused).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('invalid_client') });
  expect((await readServer()).authorization_status).toBe('none');
  const connected = must(await connect(CLIENT.client_secret), 200);
  expect(connected.server).toMatchObject({ id, authorization_status: 'authorized' });
  expect(JSON.stringify([connected, await readServer()])).not.toContain('4711');

  const first = await run();
  provider.endAccess();
  const renewed = await run();
  expect([first, renewed].map(readText)).toEqual(Array(2).fill(expect.stringContaining('find was called')));

  provider.options.clientSecrets = {};
  provider.endAccess();
  const lost = await run();
  expect(lost).toMatchObject(LOST);
  expect((await readServer()).authorization_status).toBe('authorization_required');
  expect(server.calls).toHaveLength(2);
  await expectExactMoney([first, renewed, lost]);
});

it('refuses client credentials from keys, customers and other owners', async () => {
  for (const client of [project.api, customer.api, system.anonymous]) {
    const { status } = await client.put(path('/client-credentials'), CLIENT);
    expect([401, 403]).toContain(status);
  }
  const stranger = await system.project();
  expect((await stranger.owner.put(path('/client-credentials'), CLIENT)).status).toBe(404);
  expect(provider.tokenRequests).toEqual([]);
});
