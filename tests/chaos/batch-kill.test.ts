// Services are killed while batches run: each request of a batch has one answer, and is paid once.
import { expect, it } from '@jest/globals';
import type { ServiceName } from '@tollgate/local';
import { waitUntil } from '@tollgate/testkit';
import type OpenAI from 'openai';
import { toFile } from 'openai';
import { countingOpenAi } from '../system/library-clients.js';
import { UPSTREAM_MODEL } from '../system/start-system.js';
import { expectNothingLost, openHarness } from './harness.js';
import { useJournaledSystem } from './use-journaled-system.js';

const LINES = 40;
const ANSWERS_BEFORE = 6;
const END_MS = 120_000;
const KILLED: readonly ServiceName[] = ['workflow-engine', 'gateway-inference', 'billing-ledger'];

const { system, journalFile } = useJournaledSystem({
  env: { HOLD_TTL: '4s', HOLD_SWEEP_INTERVAL: '250ms', WORK_LEASE: '3s', WORK_HEARTBEAT: '1s', WORK_POLL: '250ms' },
});

it.each(KILLED)('answers and charges each request of a batch once when %s is killed', async (name) => {
  const harness = await openHarness(system, journalFile);
  const { client } = countingOpenAi(system, harness.wallet.token, { maxRetries: 8 });
  const id = await startBatch(client);
  const counts = async () => (await client.batches.retrieve(id)).request_counts!;
  await waitUntil(async () => (await counts()).completed >= ANSWERS_BEFORE, { what: 'answers before the kill' });
  await system.kill(name);
  expect((await counts()).completed).toBeLessThan(LINES);
  const ended = await waitUntil(
    async () => {
      const batch = await client.batches.retrieve(id);
      return batch.status === 'completed' ? batch : undefined;
    },
    { what: 'the end of the batch', timeoutMs: END_MS },
  );
  expect(ended.request_counts).toEqual({ total: LINES, completed: LINES, failed: 0 });
  const text = await (await client.files.content(ended.output_file_id!)).text();
  const answers = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.map((line) => line.custom_id)).toEqual(Array.from({ length: LINES }, (_, i) => `line-${i}`));
  await expectNothingLost(system, harness, []);
  await expectPaidOnce(harness.wallet.id, answers);
});

async function startBatch(client: OpenAI): Promise<string> {
  const lines = Array.from({ length: LINES }, (_, i) => {
    const messages = [{ role: 'user', content: `say 20 tokens, slow 20 ms, ${i}` }];
    const body = { model: UPSTREAM_MODEL, max_tokens: 60, messages };
    return JSON.stringify({ custom_id: `line-${i}`, method: 'POST', url: '/v1/chat/completions', body });
  });
  const file = await client.files.create({
    file: await toFile(Buffer.from(lines.join('\n')), 'in.jsonl'),
    purpose: 'batch',
  });
  const request = { input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
  return (await client.batches.create(request)).id;
}

/** The customer pays the hold of each answer in the file, and no other. */
async function expectPaidOnce(customerId: string, answers: { response: { request_id: string } }[]): Promise<void> {
  const paid = await system.query<{ request_id: string }>(
    'SELECT request_id FROM billing_ledger.holds WHERE customer_id = $1 AND customer_microcents > 0 ORDER BY request_id',
    [customerId],
  );
  expect(paid.map((hold) => hold.request_id)).toEqual(answers.map(({ response }) => response.request_id).sort());
}
