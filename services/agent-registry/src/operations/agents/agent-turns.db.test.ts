import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AgentService } from '@tollgate/contracts/agents/v1/agents_pb.js';
import { createPool } from '@tollgate/postgres';
import { projectCall, startTestService, type TestService } from '../../testing/test-service.js';

let harness: TestService;

beforeAll(async () => {
  harness = await startTestService(import.meta.url);
});
afterAll(() => harness.stop());

it('serializes changes of an agent, however long one takes, and dates the later one after it', async () => {
  const call = projectCall(randomUUID());
  const agents = harness.network.client(AgentService);
  const change = async (values: object, field: string) => {
    const { snapshot } = await agents.updateAgent({ slug: 'helper', values, updateMask: [field] }, call);
    return snapshot?.agent;
  };
  await agents.createAgent({ slug: 'helper', values: { name: 'Helper' } }, call);
  const pool = createPool({ ...harness.database, max: 1 });
  const other = await pool.connect();
  await other.query("BEGIN; SELECT 1 FROM agents WHERE slug = 'helper' FOR UPDATE");
  const waiting = change({ system: 'new' }, 'system');
  await other.query('SELECT pg_sleep(5.5)');
  const now = harness.clock.nowMs();
  await other.query('COMMIT');
  other.release();
  await pool.end();
  const changed = await waiting;
  expect(changed?.currentRevision).toBe(2);
  expect(Number(changed?.updatedAt?.seconds) * 1_000 + changed!.updatedAt!.nanos / 1e6).toBeGreaterThanOrEqual(now);
});
