import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AgentService } from '@tollgate/contracts/agents/v1/agents_pb.js';
import { projectCall, startTestService, type TestService } from '../testing/test-service.js';

let harness: TestService;

beforeAll(async () => {
  harness = await startTestService(import.meta.url);
});
afterAll(() => harness.stop());

const lookup = '{"definition":{"type":"function","function":{"name":"look","parameters":{"z":1,"a":{"c":1,"b":2}}}}}';

it.each([
  ['tools', '[{"hook_id":"x"}]'],
  ['tools', '{}'],
  ['fragments', '{"a":{"nodes":[]}}'],
  ['tool_failure_policy', 'unknown'],
])('refuses to use a revision whose %s are stored as %s', async (column, stored) => {
  const agents = harness.network.client(AgentService);
  const call = projectCall(randomUUID());
  const values = { name: 'Helper', toolsJson: `[${lookup}]` };
  const { snapshot } = await agents.createAgent({ slug: 'helper', values }, call);
  expect((await agents.getAgent({ slug: 'helper' }, call)).snapshot?.version?.toolsJson).toBe(`[${lookup}]`);
  const { id } = snapshot!.agent!;
  await harness.database.pool.query(`UPDATE agent_revisions SET ${column} = $2 WHERE agent_id = $1`, [id, stored]);
  const reads = [
    () => agents.getAgent({ slug: 'helper' }, call),
    () => agents.resolveAgent({ by: { case: 'reference', value: 'helper' } }, call),
  ];
  for (const read of reads) await expect(read()).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
});
