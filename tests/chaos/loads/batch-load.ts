// A batch of chat completions, and the comparison of its answers with what was paid.
import { expect } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import type OpenAI from 'openai';
import { toFile } from 'openai';
import { type System, UPSTREAM_MODEL } from '../../system/start-system.js';

const END_MS = 120_000;

export async function startBatch(client: OpenAI, lineCount: number): Promise<string> {
  const lines = Array.from({ length: lineCount }, (_, i) => {
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

/** Waits for the end of a batch; each line has one answer. Returns the holds of the answers, in order of their ids. */
export async function expectBatchAnswered(client: OpenAI, id: string, lineCount: number): Promise<string[]> {
  const ended = await waitUntil(
    async () => {
      const batch = await client.batches.retrieve(id);
      return batch.status === 'completed' ? batch : undefined;
    },
    { what: 'the end of the batch', timeoutMs: END_MS },
  );
  expect(ended.request_counts).toEqual({ total: lineCount, completed: lineCount, failed: 0 });
  const text = await (await client.files.content(ended.output_file_id!)).text();
  const answers: { custom_id: string; response: { request_id: string } }[] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.map((line) => line.custom_id)).toEqual(Array.from({ length: lineCount }, (_, i) => `line-${i}`));
  return answers.map(({ response }) => response.request_id).sort();
}

/** The holds that a customer paid, in order of their ids. */
export async function readPaidHolds(system: System, customerId: string): Promise<string[]> {
  const paid = await system.query<{ request_id: string }>(
    'SELECT request_id FROM billing_ledger.holds WHERE customer_id = $1 AND customer_microcents > 0 ORDER BY request_id',
    [customerId],
  );
  return paid.map((hold) => hold.request_id);
}
