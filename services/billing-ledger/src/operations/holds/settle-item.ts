import { SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { RequestFacts, Usage } from '@tollgate/contracts/common/v1/usage_pb.js';
import type { Hold } from '../../domain/hold.js';
import { plausibleUse } from '../../domain/plausible-usage.js';
import type { UsedUnits } from '../../domain/price.js';
import type { HoldOwner, HoldRow } from '../../store/holds/open-holds.js';

export interface SettleResult {
  outcome: SettleOutcome;
  customerMicrocents: bigint;
  ownerMicrocents: bigint;
  overrunMicrocents: bigint;
  /** A threshold was reached by the batch that this belongs to, and waits to be announced. */
  hasReachedThreshold: boolean;
  /** Something else was settled than what was reported. */
  wasReplaced?: boolean;
}

export interface SettleItem {
  holdId: string;
  /** Of the hold, or of the caller where the hold is not known yet. */
  ownerAccountId: string;
  /** `report`: what was served. `expire`: the verdict on a hold nobody settled, from its progress. */
  kind: 'report' | 'expire';
  /** Of a report: more may have been served than it says. */
  isInDoubt: boolean;
  used: UsedUnits;
  usage: Usage | undefined;
  facts: RequestFacts | undefined;
  /** Of a report: who makes it. */
  owner: HoldOwner | undefined;
  /** As held, when this process admitted the request; read from the database otherwise. */
  hold: Hold | undefined;
}

/** What is settled of an item: what it reports, or, where that is implausible, an estimate from its hold. */
export interface SettledUse {
  used: UsedUnits;
  /** Absent: `used` is an estimate. */
  usage: Usage | undefined;
  wasReplaced: boolean;
}

export function settledUse(item: SettleItem, hold: Hold): SettledUse {
  const used = plausibleUse(hold.terms, item.used);
  const wasReplaced = used !== item.used;
  return { used, usage: wasReplaced ? undefined : item.usage, wasReplaced };
}

/** The answer to a hold that had ended before: the figures of the first time. */
export function duplicateOf(row: HoldRow): SettleResult {
  return {
    outcome: SettleOutcome.DUPLICATE,
    customerMicrocents: row.customer_microcents ?? 0n,
    ownerMicrocents: row.owner_microcents ?? 0n,
    overrunMicrocents: row.overrun_microcents ?? 0n,
    hasReachedThreshold: false,
  };
}
