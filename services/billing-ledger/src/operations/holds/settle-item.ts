import { SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { RequestFacts, Usage } from '@tollgate/contracts/common/v1/usage_pb.js';
import type { Hold, HoldSnapshot } from '../../domain/hold.js';
import { plausibleUse } from '../../domain/plausible-usage.js';
import type { UsedUnits } from '../../domain/price.js';
import type { Settlement } from '../../domain/settle-hold.js';
import type { HoldOwner, HoldRow } from '../../store/holds/open-holds.js';

export interface SettleResult {
  outcome: SettleOutcome;
  customerMicrocents: bigint;
  ownerMicrocents: bigint;
  overrunMicrocents: bigint;
  /** The item's batch reached a usage threshold that is not announced yet. */
  hasReachedThreshold: boolean;
  /** An estimate was settled instead of the report. */
  wasReplaced?: boolean;
  /** The charges that this call booked; absent if the hold had ended, or is not known. */
  booked?: Booked;
}

export interface Booked {
  model: string;
  customerMicrocents: bigint;
  ownerMicrocents: bigint;
  isUnreconciled: boolean;
}

export function toBooked(hold: Hold, settlement: Settlement): Booked {
  return {
    model: hold.terms.modelId,
    customerMicrocents: settlement.customerMicrocents,
    ownerMicrocents: settlement.ownerMicrocents,
    isUnreconciled: settlement.unreconciledMicrocents > 0n,
  };
}

export interface SettleItem {
  holdId: string;
  /** The hold's account, or the caller's if the hold is not known yet. */
  ownerAccountId: string;
  /**
   * `report`: a usage report. `release`: a report without usage; has no effect on a hold of another account.
   * `expire`: the verdict on an expired hold, from its progress.
   */
  kind: 'report' | 'release' | 'expire';
  /** For reports: the provider may have served more than reported. */
  isInDoubt: boolean;
  /** For reports: calls that were sent and never answered. */
  unansweredCalls?: number;
  used: UsedUnits;
  usage: Usage | undefined;
  facts: RequestFacts | undefined;
  /** For reports and releases: the caller. */
  owner: HoldOwner | undefined;
  /** W3C context of the report, for its events. */
  traceparent?: string | undefined;
  /** As the context has it. Default: false. */
  storesCompletion?: boolean;
  /** From the cache, if this process admitted the request; read from the database otherwise. */
  hold: Hold | undefined;
  /** For reports: the terms of a hold that the database has lost and this process never knew; undefined without a model. */
  termsIfLost?: (() => HoldSnapshot | undefined) | undefined;
}

/** Returns true for a release whose caller does not own the hold. */
export function isForeign({ kind, owner }: SettleItem, ownerAccountId: string): boolean {
  return kind === 'release' && owner?.accountId !== ownerAccountId;
}

/** The usage to settle: as reported, or estimated from the hold if the report is implausible. */
export interface SettledUse {
  used: UsedUnits;
  /** Undefined if `used` is an estimate. */
  usage: Usage | undefined;
  wasReplaced: boolean;
}

export function settledUse(item: SettleItem, hold: Hold): SettledUse {
  const used = plausibleUse(hold.terms, item.used);
  const wasReplaced = used !== item.used;
  return { used, usage: wasReplaced ? undefined : item.usage, wasReplaced };
}

/** Returns the figures with which a hold ended earlier. */
export function toDuplicate(row: HoldRow): SettleResult {
  return {
    outcome: SettleOutcome.DUPLICATE,
    customerMicrocents: row.customer_microcents ?? 0n,
    ownerMicrocents: row.owner_microcents ?? 0n,
    overrunMicrocents: row.overrun_microcents ?? 0n,
    hasReachedThreshold: false,
  };
}
