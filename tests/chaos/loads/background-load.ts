// Background responses, and the comparison of what they report with what was paid.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import type OpenAI from 'openai';
import { type System, UPSTREAM_MODEL } from '../../system/start-system.js';
import { CUSTOMER_PRICE } from '../harness.js';

const END_MS = 120_000;
/** Between two reads of all responses: unpaced reads would use up the requests per minute of the customer. */
export const POLL_MS = 500;

type Response = OpenAI.Responses.Response;

export function backgroundRequest(index: number) {
  const input = `say 40 tokens, slow 30 ms, ${index}`;
  return { model: UPSTREAM_MODEL, max_output_tokens: 60, input, background: true };
}

export async function queueResponse(client: OpenAI, index: number): Promise<string> {
  return (await client.responses.create(backgroundRequest(index))).id;
}

export async function readResponses(client: OpenAI, ids: readonly string[]): Promise<Response[]> {
  await sleep(POLL_MS);
  return Promise.all(ids.map((id) => client.responses.retrieve(id)));
}

/** Waits until all responses have ended; each is completed. */
export async function expectResponsesCompleted(client: OpenAI, ids: readonly string[]): Promise<Response[]> {
  const ended = await waitUntil(
    async () => {
      const all = await readResponses(client, ids);
      return all.every(({ status }) => status !== 'queued' && status !== 'in_progress') ? all : undefined;
    },
    { what: 'the end of all responses', timeoutMs: END_MS },
  );
  expect(ended.map(({ id, status }) => ({ id, status }))).toEqual(ids.map((id) => ({ id, status: 'completed' })));
  return ended;
}

/** The customer pays one hold per response, and what the responses report. */
export async function expectResponsesPaidOnce(
  system: System,
  customerId: string,
  responses: readonly Response[],
): Promise<void> {
  const paid = await system.query<{ microcents: string }>(
    'SELECT customer_microcents::text AS microcents FROM billing_ledger.holds WHERE customer_id = $1 AND customer_microcents > 0',
    [customerId],
  );
  const reported = responses.map(({ usage }) => {
    return BigInt(usage!.input_tokens) * CUSTOMER_PRICE.input + BigInt(usage!.output_tokens) * CUSTOMER_PRICE.output;
  });
  const sort = (amounts: readonly bigint[]) => amounts.map(String).sort();
  expect(sort(paid.map(({ microcents }) => BigInt(microcents)))).toEqual(sort(reported));
}
