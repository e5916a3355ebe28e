import { arrayLiteral } from '../sql-arrays.js';
import type { SettlementWrite } from './settle-holds.js';

const NO_UUID = '00000000-0000-0000-0000-000000000000';

interface Rollup {
  owner: string;
  project: string;
  customer: string;
  windowMs: number;
  key: string;
  model: string;
  /** requests, input, output, images, charged, provider, overrun, unreconciled */
  sums: bigint[];
}

/** A batch's use by account, window, key and model: one row each, in a fixed order; as the settling statement's columns. */
export function rollupsOf(writes: readonly SettlementWrite[]): unknown[] {
  const rollups = new Map<string, Rollup>();
  for (const write of writes) {
    const sums = sumsOf(write);
    if (sums.every((sum) => sum === 0n)) continue;
    const { hold } = write;
    const { customerId, keyId, modelId, projectId, windowStartMs } = hold.terms;
    const id = `${hold.ownerAccountId}/${projectId}/${customerId}/${windowStartMs}/${keyId}/${modelId}`;
    const known = rollups.get(id);
    if (known) known.sums = known.sums.map((sum, i) => sum + (sums[i] as bigint));
    else {
      rollups.set(id, {
        owner: hold.ownerAccountId,
        project: projectId,
        customer: customerId ?? NO_UUID,
        windowMs: windowStartMs,
        key: keyId ?? NO_UUID,
        model: modelId,
        sums,
      });
    }
  }
  const rows = [...rollups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  return [
    arrayLiteral(rows.map((r) => r.owner)),
    arrayLiteral(rows.map((r) => r.project)),
    arrayLiteral(rows.map((r) => r.customer)),
    arrayLiteral(rows.map((r) => r.windowMs)),
    arrayLiteral(rows.map((r) => r.key)),
    rows.map((r) => r.model),
    ...Array.from({ length: 8 }, (_, i) => arrayLiteral(rows.map((r) => r.sums[i] as bigint))),
  ];
}

function sumsOf({ settlement: s }: SettlementWrite): bigint[] {
  const { inputTokens, outputTokens, images } = s.used;
  const isUsed = inputTokens + outputTokens + images > 0n;
  return [
    isUsed ? 1n : 0n,
    inputTokens,
    outputTokens,
    images,
    s.customerMicrocents,
    s.ownerMicrocents,
    s.overrunMicrocents,
    s.unreconciledMicrocents,
  ];
}
