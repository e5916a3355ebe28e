import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type McpTestServer, startMcpServer, waitUntil } from '@tollgate/testkit';
import { type Harness, startHarness } from '../../testing/harness.js';
import { listMcpTools } from './list-mcp-tools.js';
import { createMcpServer, updateMcpServer } from './mcp-servers.js';

let h: Harness;
let projectId: string;
const stops: (() => Promise<void> | void)[] = [];

beforeAll(async () => {
  h = await startHarness(import.meta.url);
});
afterAll(() => h.stop());
beforeEach(() => {
  projectId = randomUUID();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const tool = (name: string) => ({ name, inputSchema: { type: 'object' as const } });
const register = (endpointUrl: string, timeoutMs: number, name = 'notes') =>
  createMcpServer(h.ctx, projectId, { name, endpointUrl, headers: {}, toolsAllowlist: [], timeoutMs });
const list = (remainingMs = 10_000, names = ['notes']) => listMcpTools(h.ctx, projectId, names, remainingMs);

async function newServer(listingMs = 0): Promise<McpTestServer & { id: string }> {
  const server = await startMcpServer({ tools: [tool('echo')], listingMs });
  stops.push(server.stop);
  const { id } = await register(server.url, 10_000);
  return { ...server, id };
}

/** A server that accepts requests and never answers. */
async function startSilentServer(): Promise<string> {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

describe('a listing', () => {
  it('uses a listing for five minutes, and forgets it when the settings change', async () => {
    const server = await newServer();
    const names = async () => (await list()).map(({ reply }) => reply.ok && reply.value.tools.map((t) => t.tool));
    expect(await names()).toEqual([['echo']]);
    server.options.tools = [tool('echo'), tool('more')];
    expect(await names()).toEqual([['echo']]);
    await h.database.pool.query(`UPDATE mcp_servers SET listed_at = listed_at - interval '301 seconds'`);
    expect(await names()).toEqual([['echo', 'more']]);
    await updateMcpServer(h.ctx, projectId, server.id, { toolsAllowlist: ['more'] });
    expect(await names()).toEqual([['more']]);
    expect(server.methods.filter((method) => method === 'tools/list')).toHaveLength(3);
  });

  it('ends the session of a listing', async () => {
    const server = await newServer();
    await list();
    await waitUntil(() => server.methods.includes('DELETE'), { what: 'the end of the session' });
    const session = ['initialize', 'notifications/initialized', 'tools/list', 'DELETE'];
    expect(server.methods).toEqual(['server/discover', ...session]);
  });

  it('names each server that cannot be used', async () => {
    const { id } = await newServer();
    await updateMcpServer(h.ctx, projectId, id, { enabled: false });
    await register('http://127.0.0.1:9/mcp', 10_000, 'down');
    expect(await list(10_000, ['down', 'notes', 'none'])).toMatchObject([
      { name: 'down', reply: { ok: false, isRetryable: true } },
      { name: 'notes', reply: { ok: false, isRetryable: false, message: expect.stringContaining('disabled') } },
      { name: 'none', reply: { ok: false, isRetryable: false, message: expect.stringContaining('deleted') } },
    ]);
  });

  it('reports a silent server before the deadline of the caller', async () => {
    await register(await startSilentServer(), 60_000);
    expect(await list(1_000)).toMatchObject([{ reply: { ok: false, isTimeout: true, isRetryable: true } }]);
  });

  it('shares a listing in progress, but not after a change of the settings', async () => {
    const { id, methods } = await newServer(500);
    const countListings = () => methods.filter((method) => method === 'tools/list').length;
    const all = await Promise.all(Array.from({ length: 5 }, () => list()));
    expect(all.map(([listing]) => listing?.reply.ok)).toEqual(Array(5).fill(true));
    expect(countListings()).toBe(1);
    await updateMcpServer(h.ctx, projectId, id, { timeoutMs: 9_000 });
    await list();
    expect(countListings()).toBe(2);
  });

  it('gives each caller of a shared listing its own time', async () => {
    await register(await startSilentServer(), 1_500);
    const [short, long] = await Promise.all([list(300), list(20_000)]);
    expect([short, long]).toMatchObject(Array(2).fill([{ reply: { ok: false, isTimeout: true } }]));
    expect(long[0]?.reply).toMatchObject({ message: expect.stringContaining('1500 ms') });
  });
});
