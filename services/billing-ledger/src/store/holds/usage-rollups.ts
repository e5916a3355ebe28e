import type { Queryable } from '@tollgate/postgres';
import type { Hold } from '../../domain/hold.js';
import { countedInputTokens } from '../../domain/price.js';
import { isNothing, type Settlement } from '../../domain/settle-hold.js';
import { type AddRollupsRollupsRow, addRollups } from '../gen/holds/usage-rollups.js';

/** Stands for "no customer" and "no key" in the roll-ups' unique index. */
const NO_UUID = '00000000-0000-0000-0000-000000000000';

const SUMS = ['requests', 'input', 'output', 'images', 'charged', 'provider', 'overrun', 'unreconciled'] as const;

/** Usage to add to the roll-ups of the current day (UTC). */
type Rollup = Omit<AddRollupsRollupsRow, (typeof SUMS)[number]> & Record<(typeof SUMS)[number], bigint>;

/** Adds a correction to the roll-up of the day on which it is made. */
export async function addToRollup(tx: Queryable, hold: Hold, delta: Settlement, requests: bigint): Promise<void> {
  await addRollups(tx, { rollups: [{ ...toRollup(hold, delta), requests }] });
}

/** Groups the usage of a batch by account, window, key and model, in a fixed order so that batches cannot deadlock. */
export function toRollups(writes: readonly { hold: Hold; settlement: Settlement }[]): Rollup[] {
  const rollups = new Map<string, Rollup>();
  for (const { hold, settlement } of writes) {
    const rollup = toRollup(hold, settlement);
    if (SUMS.every((sum) => rollup[sum] === 0n)) continue;
    const { owner, project, customer, windowMs, key, model } = rollup;
    const id = `${owner}/${project}/${customer}/${windowMs}/${key}/${model}`;
    const known = rollups.get(id);
    if (known) for (const sum of SUMS) known[sum] += rollup[sum];
    else rollups.set(id, rollup);
  }
  return [...rollups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rollup]) => rollup);
}

function toRollup({ ownerAccountId, terms }: Hold, settlement: Settlement): Rollup {
  const { used } = settlement;
  return {
    owner: ownerAccountId,
    project: terms.projectId,
    customer: terms.customerId ?? NO_UUID,
    windowMs: terms.windowStartMs,
    key: terms.keyId ?? NO_UUID,
    model: terms.modelId,
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
