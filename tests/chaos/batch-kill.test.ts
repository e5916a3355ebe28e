// Services are killed while batches run: each request of a batch has one answer, and is paid once.
import { expect, it } from '@jest/globals';
import type { ServiceName } from '@tollgate/local';
import { waitUntil } from '@tollgate/testkit';
import { countingOpenAi } from '../system/library-clients.js';
import { expectNothingLost, openHarness } from './harness.js';
import { expectBatchAnswered, readPaidHolds, startBatch } from './loads/batch-load.js';
import { useJournaledSystem } from './use-journaled-system.js';

const LINES = 40;
const ANSWERS_BEFORE = 6;
const KILLED: readonly ServiceName[] = ['workflow-engine', 'gateway-inference', 'billing-ledger'];

const { system, journalFile } = useJournaledSystem({
  env: { HOLD_TTL: '4s', HOLD_SWEEP_INTERVAL: '250ms', WORK_LEASE: '3s', WORK_HEARTBEAT: '1s', WORK_POLL: '250ms' },
});

it.each(KILLED)('answers and charges each request of a batch once when %s is killed', async (name) => {
  const harness = await openHarness(system, journalFile);
  const { client } = countingOpenAi(system, harness.wallet.token, { maxRetries: 8 });
  const id = await startBatch(client, LINES);
  const counts = async () => (await client.batches.retrieve(id)).request_counts!;
  await waitUntil(async () => (await counts()).completed >= ANSWERS_BEFORE, { what: 'answers before the kill' });
  await system.kill(name);
  expect((await counts()).completed).toBeLessThan(LINES);
  const paying = await expectBatchAnswered(client, id, LINES);
  await expectNothingLost(system, harness, []);
  expect(await readPaidHolds(system, harness.wallet.id)).toEqual(paying);
});
