import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { type Harness, startHarness } from '../../testing/harness.js';
import { createMcpServer, requireMcpServer, updateMcpServer } from './mcp-servers.js';

let h: Harness;

beforeAll(async () => {
  h = await startHarness(import.meta.url);
});
afterAll(() => h.stop());

describe('updates of an MCP server', () => {
  it('refuses an update whose settings another one has replaced, so that no host gets the headers of the other', async () => {
    const projectId = randomUUID();
    const first = { name: 'notes', endpointUrl: 'https://a.example.com/mcp', headers: {}, toolsAllowlist: [] };
    const { id } = await createMcpServer(h.ctx, projectId, first);
    const other = await h.database.pool.connect();
    let enabling: Promise<unknown> | undefined;
    try {
      await other.query('BEGIN');
      await updateMcpServer({ ...h.ctx, pool: other as unknown as typeof h.ctx.pool }, projectId, id, {
        endpointUrl: 'https://b.example.com/mcp',
        headers: { Authorization: 'Bearer of-b' },
      });
      enabling = updateMcpServer(h.ctx, projectId, id, { enabled: true });
      enabling.catch(() => undefined);
      await waitUntil(isBlocked, { what: 'the second update' });
      await other.query('COMMIT');
    } finally {
      other.release();
    }
    await expect(enabling).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await requireMcpServer(h.ctx, projectId, id)).toMatchObject({
      endpointUrl: 'https://b.example.com/mcp',
      headerNames: ['Authorization'],
    });
    // A repeat of the refused update is based on the new settings.
    expect(await updateMcpServer(h.ctx, projectId, id, { enabled: false })).toMatchObject({
      endpointUrl: 'https://b.example.com/mcp',
      enabled: false,
    });
  });
});

async function isBlocked(): Promise<boolean> {
  return (await h.database.countLockWaits('UPDATE mcp_servers')) > 0;
}
