import type { Queryable } from '@tollgate/postgres';
import { defineColumns, number, text, uuid } from '@tollgate/postgres/columns';
import type { Hold } from '../../domain/hold.js';
import { countedInputTokens } from '../../domain/price.js';
import { isNothing, type Settlement } from '../../domain/settle-hold.js';

/** Stands for "no customer" and "no key" in the roll-ups' unique index. */
const NO_UUID = '00000000-0000-0000-0000-000000000000';

/** Usage to add to the roll-ups of the current day (UTC). */
export interface Rollup {
  owner: string;
  project: string;
  customer: string;
  windowMs: number;
  key: string;
  model: string;
  sums: RollupSums;
}

interface RollupSums {
  requests: bigint;
  input: bigint;
  output: bigint;
  images: bigint;
  charged: bigint;
  provider: bigint;
  overrun: bigint;
  unreconciled: bigint;
}

export const ROLLUPS = defineColumns<Rollup>({
  owner: uuid((r) => r.owner),
  project: uuid((r) => r.project),
  customer: uuid((r) => r.customer),
  window_ms: number('bigint', (r) => r.windowMs),
  key: uuid((r) => r.key),
  model: text((r) => r.model),
  requests: number('bigint', (r) => r.sums.requests),
  input: number('bigint', (r) => r.sums.input),
  output: number('bigint', (r) => r.sums.output),
  images: number('bigint', (r) => r.sums.images),
  charged: number('bigint', (r) => r.sums.charged),
  provider: number('bigint', (r) => r.sums.provider),
  overrun: number('bigint', (r) => r.sums.overrun),
  unreconciled: number('bigint', (r) => r.sums.unreconciled),
});

/** Returns the SQL that adds roll-ups, with their parameters numbered from `first`. */
export function addRollups(first: number, condition = 'true'): string {
  return `INSERT INTO usage_rollups AS u (owner_account_id, project_id, customer_id, window_start, day, key_id, model_id, requests,
      input_tokens, output_tokens, images, customer_microcents, provider_microcents, overrun_microcents, unreconciled_microcents)
    SELECT owner, project, customer, to_timestamp(window_ms / 1000.0), (now() AT TIME ZONE 'UTC')::date, key, model, requests,
      input, output, images, charged, provider, overrun, unreconciled
    FROM ${ROLLUPS.unnest('r', first)} WHERE ${condition}
    ON CONFLICT (customer_id, window_start, day, owner_account_id, project_id, key_id, model_id) DO UPDATE SET
      requests = u.requests + excluded.requests, input_tokens = u.input_tokens + excluded.input_tokens,
      output_tokens = u.output_tokens + excluded.output_tokens, images = u.images + excluded.images,
      customer_microcents = u.customer_microcents + excluded.customer_microcents,
      provider_microcents = u.provider_microcents + excluded.provider_microcents,
      overrun_microcents = u.overrun_microcents + excluded.overrun_microcents,
      unreconciled_microcents = u.unreconciled_microcents + excluded.unreconciled_microcents`;
}

const ADD_ROLLUPS = addRollups(1);

/** Adds a correction to the roll-up of the day on which it is made. */
export async function addToRollup(tx: Queryable, hold: Hold, delta: Settlement, requests: bigint): Promise<void> {
  const rollup = toRollup(hold, delta);
  rollup.sums.requests = requests;
  await tx.query(ADD_ROLLUPS, ROLLUPS.encode([rollup]));
}

/** Groups the usage of a batch by account, window, key and model, in a fixed order so that batches cannot deadlock. */
export function toRollups(writes: readonly { hold: Hold; settlement: Settlement }[]): Rollup[] {
  const rollups = new Map<string, Rollup>();
  for (const { hold, settlement } of writes) {
    const rollup = toRollup(hold, settlement);
    if (isEmpty(rollup.sums)) continue;
    const { owner, project, customer, windowMs, key, model } = rollup;
    const id = `${owner}/${project}/${customer}/${windowMs}/${key}/${model}`;
    const known = rollups.get(id);
    if (known) add(known.sums, rollup.sums);
    else rollups.set(id, rollup);
  }
  return [...rollups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rollup]) => rollup);
}

function toRollup({ ownerAccountId, terms }: Hold, settlement: Settlement): Rollup {
  return {
    owner: ownerAccountId,
    project: terms.projectId,
    customer: terms.customerId ?? NO_UUID,
    windowMs: terms.windowStartMs,
    key: terms.keyId ?? NO_UUID,
    model: terms.modelId,
    sums: toSums(settlement),
  };
}

function toSums(settlement: Settlement): RollupSums {
  const { used } = settlement;
  return {
    requests: isNothing(used) ? 0n : 1n,
    input: countedInputTokens(used),
    output: used.outputTokens,
    images: used.images,
    charged: settlement.customerMicrocents,
    provider: settlement.ownerMicrocents,
    overrun: settlement.overrunMicrocents,
    unreconciled: settlement.unreconciledMicrocents,
  };
}

function isEmpty(sums: RollupSums): boolean {
  for (const key in sums) if (sums[key as keyof RollupSums] !== 0n) return false;
  return true;
}

function add(sums: RollupSums, more: RollupSums): void {
  for (const key in sums) sums[key as keyof RollupSums] += more[key as keyof RollupSums];
}
