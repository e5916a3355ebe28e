// Clients that repeat a request with one Idempotency-Key, at any edge, until they have its answer. They also send the
// key as the request id, so that the holds of all attempts are found.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, type Json, responsesBody, waitUntil } from '@tollgate/testkit';
import { type System, UPSTREAM_MODEL } from '../../system/start-system.js';
import { type ChaosHarness, CUSTOMER_PRICE } from '../harness.js';
import { type Asked, readUsage } from './load.js';

const TEXTS = ['say 20 tokens, wait 800 ms', 'say 40 tokens, slow 40 ms', 'say 9 tokens', 'say 60 tokens, slow 25 ms'];
const OUTPUT_TOKENS_MAX = 100;
/** A client that has waited this long asks again, at another edge, while the earlier request continues. */
const PATIENCE_MS = 6_000;
const PAUSE_AFTER_FAILURE_MS = 200;

type Usage = NonNullable<Asked['usage']>;

interface KeyedRequest {
  /** Idempotency key, also sent as the request id, so that the ledger's holds of the key are found. */
  key: string;
  /** Complete answers in the order of arrival; `id` only for answers that were not streamed. */
  answers: { id: string | undefined; usage: Usage }[];
  /** Errors that a retry would get again. */
  refusals: string[];
}

export interface KeyedLoad {
  requests: readonly KeyedRequest[];
  answered(): number;
  /** Attempts beyond each request's first. */
  repeats(): number;
  /** Starts no further requests; ends when every request is answered and no attempt is running. */
  finish(timeoutMs: number): Promise<void>;
}

/** Keeps this many keyed requests running per payer; a payer is given as its clients at all edges. */
export function startKeyedLoad(payers: readonly (readonly ApiClient[])[], workersPerPayer: number): KeyedLoad {
  const requests: KeyedRequest[] = [];
  const attempts = new Set<Promise<void>>();
  let repeats = 0;
  let isFinishing = false;
  const work = async (clients: readonly ApiClient[]): Promise<void> => {
    while (!isFinishing) {
      const request: KeyedRequest = { key: randomUUID(), answers: [], refusals: [] };
      const place = requests.push(request);
      for (let tries = 0; !isOver(request); tries++) {
        const attempt = ask(clients[(place + tries) % clients.length]!, request, place)
          .catch(() => undefined)
          .finally(() => attempts.delete(attempt));
        attempts.add(attempt);
        if (tries > 0) repeats += 1;
        await Promise.race([attempt, sleep(PATIENCE_MS, undefined, { ref: false })]);
        if (!isOver(request)) await sleep(PAUSE_AFTER_FAILURE_MS);
      }
    }
  };
  const workers = payers.flatMap((clients) => Array.from({ length: workersPerPayer }, () => work(clients)));
  return {
    requests,
    answered: () => requests.filter(({ answers }) => answers.length > 0).length,
    repeats: () => repeats,
    finish: async (timeoutMs) => {
      isFinishing = true;
      await waitUntil(() => requests.every(isOver), { what: 'every keyed request to be answered', timeoutMs });
      await Promise.all([...workers, ...attempts]);
    },
  };
}

function isOver({ answers, refusals }: KeyedRequest): boolean {
  return answers.length + refusals.length > 0;
}

/** Makes one attempt; every second request is streamed. Throws when the connection breaks. */
async function ask(client: ApiClient, request: KeyedRequest, place: number): Promise<void> {
  const body = responsesBody(TEXTS[place % TEXTS.length]!, {
    model: UPSTREAM_MODEL,
    max_output_tokens: OUTPUT_TOKENS_MAX,
  });
  const headers = { 'idempotency-key': request.key, 'x-service-request-id': request.key };
  if (place % 2 === 0) {
    const { status, body: answer, text } = await client.post('/responses', body, headers);
    if (status === 200) request.answers.push({ id: answer.id, usage: readUsage(answer.usage) });
    else if (!answer?.retryable) request.refusals.push(text);
    return;
  }
  const stream = await client.ndjson('/responses', body, headers);
  for await (const event of stream as AsyncIterable<Json>) {
    if (event.type === 'completion') request.answers.push({ id: undefined, usage: readUsage(event.usage) });
    if (stream.status !== 200 && !event.retryable) request.refusals.push(JSON.stringify(event));
  }
}

interface KeyHold {
  key: string;
  customer_id: string | null;
  input_tokens: string | null;
  output_tokens: string | null;
  charged: string;
}

/** Returns the keys whose customer was not charged exactly once, for the answer that the client got. */
export async function judgeKeys(system: System, harness: ChaosHarness, { requests }: KeyedLoad): Promise<string[]> {
  const holds = await system.query<KeyHold>(
    `SELECT terms->>'publicRequestId' AS key, customer_id, input_tokens, output_tokens,
       coalesce(customer_microcents, 0)::text AS charged
     FROM billing_ledger.holds WHERE owner_account_id = $1`,
    [harness.ownerAccountId],
  );
  const byKey = new Map<string, KeyHold[]>();
  for (const hold of holds) byKey.set(hold.key, [...(byKey.get(hold.key) ?? []), hold]);
  return requests.flatMap((request) => judgeKey(request, byKey.get(request.key) ?? []));
}

function judgeKey({ key, answers, refusals }: KeyedRequest, holds: readonly KeyHold[]): string[] {
  const of = `key ${key}, ${holds.length} attempts`;
  if (refusals.length > 0) return [`${of}: refused: ${refusals.join(', ')}`];
  const usage = answers[0]?.usage;
  if (!usage) return [`${of}: never answered`];
  if (new Set(answers.map(({ id }) => id)).size > 1) return [`${of}: answered differently`];
  const price = (tokens: Usage): bigint =>
    BigInt(tokens.inputTokens) * CUSTOMER_PRICE.input + BigInt(tokens.outputTokens) * CUSTOMER_PRICE.output;
  const paying = holds.filter(({ charged }) => charged !== '0');
  const isOwners = holds.every(({ customer_id }) => customer_id === null);
  if (isOwners && paying.length === 0) return [];
  const charges = paying.map(({ charged }) => charged);
  if (paying.length !== 1) return [`${of}: charged ${paying.length} times: ${charges.join(', ')}`];
  return BigInt(charges[0]!) === price(usage) ? [] : [`${of}: pays ${charges[0]}, answered ${price(usage)}`];
}
