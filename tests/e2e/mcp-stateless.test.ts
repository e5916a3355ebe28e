// Agents as tools in version 2026-07-28 of the Model Context Protocol, called with the protocol's own current client library.

import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type ApiClient, type Json, waitUntil } from '@tollgate/testkit';
import { must, SANDBOX_MODEL } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

const system = useSystem();
const project = useProject(system);
const open: Client[] = [];

beforeAll(async () => {
  const body = { name: 'Helper', slug: 'helper', model: SANDBOX_MODEL };
  must(await project.api.post(`/projects/${project.id}/agents`, body), 201);
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

type Mode = NonNullable<NonNullable<ClientOptions['versionNegotiation']>['mode']>;

async function connect(credential: string, mode: Mode): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  open.push(client);
  const requestInit = { headers: { Authorization: `Bearer ${credential}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/v1/mcp', system.stack.httpUrl), { requestInit }));
  return client;
}

const listRuns = async (api: ApiClient) => must(await api.get('/runs'), 200).runs;
const readText = (result: Json): string => result.content.at(-1).text;
const call = (input: string) => ({ name: 'helper', arguments: { input } });

describe('the current client library', () => {
  it.each<[Mode, string]>([
    ['auto', '2026-07-28'],
    [{ pin: '2026-07-28' }, '2026-07-28'],
    ['legacy', '2025-11-25'],
  ])(
    'connects in the mode %j with version %s, lists and calls tools, and is charged once per call',
    async (mode, version) => {
      const customer = await project.customerOn('free');
      const client = await connect(customer.token, mode);
      expect(client.getNegotiatedProtocolVersion()).toBe(version);
      expect(client.getServerVersion()).toEqual({ name: 'tollgate', version: '1' });
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['helper']);
      const progress: (string | undefined)[] = [];
      const result: Json = await client.callTool(call('hi'), { onprogress: ({ message }) => progress.push(message) });
      expect(readText(result)).toBe('Echo: hi');
      expect(progress).toEqual([`run ${result._meta.run_id} started`, 'the model answered step 0']);
      const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
      expect(usage).toMatchObject({ requests: 1, total_cost_microcents: result._meta.usage.total_cost_microcents });
      await expect(client.callTool({ name: 'unknown', arguments: {} })).rejects.toThrow('tools/list names');
    },
  );

  it('cancels the run when the client cancels its request, and stops charging', async () => {
    const customer = await project.customerOn('free');
    const client = await connect(customer.token, 'auto');
    const cancellation = new AbortController();
    const calling = client.callTool(call('wait 60000 ms'), {
      signal: cancellation.signal,
      onprogress: () => cancellation.abort('enough'),
    });
    await expect(calling).rejects.toThrow();
    await waitUntil(async () => (await listRuns(customer.api))[0]?.status === 'canceled', { what: 'a canceled run' });
    await waitUntil(async () => (await project.verify()).open_holds === 0, { what: 'no open hold' });
  });
});
