import { SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { cached, LATENCY_BUCKETS, type Metrics, SIZE_BUCKETS } from '@tollgate/metrics';
import { systemClock } from '@tollgate/runtime';
import type { SettleItem, SettleResult } from './operations/holds/settle-item.js';

/** How money moved at the payment processor. */
export type PaymentOutcome = 'paid' | 'failed' | 'refunded' | 'refund_failed' | 'disputed' | 'dispute_won';

/** The instruments of the ledger. */
export type LedgerMetrics = ReturnType<typeof createLedgerMetrics>;

export function createLedgerMetrics(metrics: Metrics) {
  const admissions = metrics.counter({
    name: 'tollgate_admissions_total',
    help: 'Admissions by verdict: admitted, or the code of the refusal.',
    labels: ['verdict'],
  });
  const settlements = metrics.counter({
    name: 'tollgate_settlements_total',
    help: 'Ends of holds by outcome.',
    labels: ['outcome'],
  });
  const charged = metrics.counter({
    name: 'tollgate_charged_microcents_total',
    help: 'Microcents charged for usage, by model and payer.',
    labels: ['model', 'payer'],
  });
  const payments = metrics.counter({
    name: 'tollgate_payments_total',
    help: 'Payments, refunds and disputes at the processor, by outcome.',
    labels: ['outcome'],
  });
  const batchItems = metrics.histogram({
    name: 'tollgate_ledger_batch_items',
    help: 'Items written in one transaction.',
    labels: ['kind'],
    buckets: SIZE_BUCKETS,
  });
  const batchWait = metrics.histogram({
    name: 'tollgate_ledger_batch_wait_seconds',
    help: 'Time that an item waited for its transaction.',
    labels: ['kind'],
    buckets: LATENCY_BUCKETS,
  });
  return {
    admitted: admissions.with({ verdict: 'admitted' }),
    refused: (code: string) => admissions.add({ verdict: code }),
    settled(kind: SettleItem['kind'], result: SettleResult) {
      const outcome = toOutcomeLabel(kind, result);
      if (outcome !== undefined) settlements.add({ outcome });
      if (!result.booked) return;
      const { model, customerMicrocents, ownerMicrocents } = result.booked;
      if (customerMicrocents > 0n) charged.add({ model, payer: 'customer' }, Number(customerMicrocents));
      if (ownerMicrocents > 0n) charged.add({ model, payer: 'owner' }, Number(ownerMicrocents));
    },
    paid: (outcome: PaymentOutcome) => payments.add({ outcome }),
    verified: observeVerifications(metrics),
    bindBatch: (kind: 'admit' | 'settle') => ({ items: batchItems.with({ kind }), wait: batchWait.with({ kind }) }),
  };
}

/** Returns undefined for a release of an unknown hold: no hold ended. */
function toOutcomeLabel(
  kind: SettleItem['kind'],
  { outcome, overrunMicrocents, booked }: SettleResult,
): string | undefined {
  if (outcome === SettleOutcome.UNKNOWN_REQUEST) return kind === 'report' ? 'unknown_hold' : undefined;
  if (outcome === SettleOutcome.DUPLICATE) return 'duplicate';
  if (kind === 'expire') return 'expired';
  if (overrunMicrocents > 0n) return 'overrun';
  if (booked?.isUnreconciled) return 'unreconciled';
  return outcome === SettleOutcome.RELEASED ? 'released' : 'posted';
}

/** Adds the gauges of open holds. */
export function observeOpenHolds(
  metrics: Metrics,
  readTotals: () => Promise<{ count: number; oldestSeconds: number }>,
): void {
  const read = cached(readTotals);
  metrics.observe({
    series: {
      count: { name: 'tollgate_holds_open', help: 'Holds that have not ended; counted up to 20,000.' },
      oldestSeconds: { name: 'tollgate_holds_oldest_age_seconds', help: 'Age of the oldest open hold.' },
    },
    read,
  });
}

/** Maximum of owners with differences that the gauge counts. With more, it is too low but still above 0. */
const DIFFERING_OWNERS_MAX = 1_000;

/** Reports verifications by this process. */
export interface Verified {
  owner(accountId: string, differences: number): void;
  /** Records a verification of all owners; it replaces the results for single owners. */
  everyone(differences: number): void;
}

/** Adds the gauges of verifications. */
function observeVerifications(metrics: Metrics): Verified {
  const differing = new Map<string, number>();
  let verifiedAtMs: number | undefined;
  const sum = (): number => [...differing.values()].reduce((all, count) => all + count, 0);
  metrics.observe({
    series: {
      differences: {
        name: 'tollgate_ledger_verify_differences',
        help: 'Differences between balances and journal in the last verification of each owner account.',
      },
      verifiedAt: { name: 'tollgate_ledger_verified_timestamp_seconds', help: 'When the last verification ended.' },
    },
    read: () => ({ differences: verifiedAtMs && sum(), verifiedAt: verifiedAtMs && verifiedAtMs / 1_000 }),
  });
  const note = (scope: string, differences: number): void => {
    verifiedAtMs = systemClock.nowMs();
    differing.delete(scope);
    if (differences > 0 && differing.size < DIFFERING_OWNERS_MAX) differing.set(scope, differences);
  };
  return {
    owner: note,
    everyone(differences) {
      differing.clear();
      note('everyone', differences);
    },
  };
}
