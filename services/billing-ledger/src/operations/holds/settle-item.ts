import { SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { RequestFacts, Usage } from '@tollgate/contracts/common/v1/usage_pb.js';
import { eventTypes, newEvent, type OutboxEvent } from '@tollgate/events';
import { elapsed } from '@tollgate/runtime';
import type { Hold, HoldSnapshot } from '../../domain/hold.js';
import { countedInputTokens, type UsedUnits } from '../../domain/price.js';
import { plausibleUse, type Settlement } from '../../domain/settle-hold.js';
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

/** What ended a hold. */
export interface Report {
  usage: Usage | undefined;
  facts: RequestFacts | undefined;
  traceparent?: string | undefined;
}

/**
 * Returns `usage.recorded`. If the report describes the request, that event also stands for `request.completed`, or both are
 * returned with `storesCompletion`.
 */
export function settlementEvents(
  hold: Hold,
  settlement: Settlement,
  report: Report,
  storesCompletion: boolean,
): OutboxEvent[] {
  const completesRequest = report.facts !== undefined && !storesCompletion;
  const recorded = usageEvent(eventTypes.usageRecorded, hold, settlement, { ...report, completesRequest });
  return report.facts && storesCompletion ? [recorded, completionEvent(hold, report)] : [recorded];
}

function completionEvent({ terms }: Hold, { usage, facts, traceparent }: Report): OutboxEvent {
  return newEvent(eventTypes.requestCompleted, {
    key: terms.customerId ?? terms.projectId,
    requestId: terms.requestId,
    traceparent,
    message: {
      requestId: terms.requestId,
      projectId: terms.projectId,
      customerId: terms.customerId ?? '',
      tierId: terms.tierId ?? '',
      tierCode: terms.tierCode ?? '',
      ...(facts && { facts }),
      ...(usage && { usage: countedUsage(usage) }),
    },
  });
}

/** Returns `usage.corrected`, whose figures replace those of an earlier `usage.recorded`. */
export function correctionEvent(hold: Hold, settlement: Settlement, report: Report): OutboxEvent {
  return usageEvent(eventTypes.usageCorrected, hold, settlement, { ...report, completesRequest: false });
}

function usageEvent(
  definition: typeof eventTypes.usageRecorded,
  hold: Hold,
  settlement: Settlement,
  { usage: reported, facts, traceparent, completesRequest }: Report & { completesRequest: boolean },
): OutboxEvent {
  const { terms } = hold;
  const usage = reported && countedUsage(reported);
  return newEvent(definition, {
    key: hold.ownerAccountId,
    requestId: terms.requestId,
    traceparent,
    message: {
      holdId: hold.holdId,
      requestId: terms.requestId,
      accountId: hold.ownerAccountId,
      projectId: terms.projectId,
      customerId: terms.customerId ?? '',
      customerExternalId: terms.customerExternalId ?? '',
      keyId: terms.keyId ?? '',
      tierId: terms.tierId ?? '',
      tierCode: terms.tierCode ?? '',
      modelId: terms.modelId,
      provider: facts?.provider ?? '',
      usage: usage ?? {
        inputTokens: countedInputTokens(settlement.used),
        outputTokens: settlement.used.outputTokens,
        images: Number(settlement.used.images),
        estimated: true,
      },
      customerMicrocents: settlement.customerMicrocents,
      providerMicrocents: settlement.ownerMicrocents,
      overrunMicrocents: settlement.overrunMicrocents,
      unreconciledMicrocents: settlement.unreconciledMicrocents,
      ...(facts && { facts }),
      completesRequest,
    },
  });
}

/** Returns a report's usage as events show it: fees are part of the charge, not of the tokens. */
function countedUsage(usage: Usage): Usage {
  const { toolFeeTokens, feeMicrocents, providerMicrocents, ...counts } = usage;
  if (toolFeeTokens === 0n && feeMicrocents === 0n && providerMicrocents === undefined) return usage;
  return { ...counts, inputTokens: counts.inputTokens - toolFeeTokens, toolFeeTokens: 0n, feeMicrocents: 0n };
}

const HOLDS_CACHED_MAX = 50_000;
/** Most holds end within minutes. A hold that ended on another replica is never asked for here. */
const CACHED_MS_MAX = 3_600_000;

interface Entry {
  hold: Hold;
  rememberedMs: number;
}

/** Caches holds that this process admitted, so that their settlement need not read them. An optimization only. */
export class OpenHoldCache {
  /** In the order in which they were remembered, the oldest first. */
  readonly #entries = new Map<string, Entry>();
  readonly #elapsed: () => number;

  constructor(monotonic: () => number = elapsed) {
    this.#elapsed = monotonic;
  }

  get size(): number {
    return this.#entries.size;
  }

  remember(hold: Hold): void {
    const rememberedMs = this.#elapsed();
    // An extended hold moves to the end.
    this.#entries.delete(hold.holdId);
    for (const [id, oldest] of this.#entries) {
      if (this.#entries.size < HOLDS_CACHED_MAX && rememberedMs - oldest.rememberedMs < CACHED_MS_MAX) break;
      this.#entries.delete(id);
    }
    this.#entries.set(hold.holdId, { hold, rememberedMs });
  }

  /** Removes the hold and returns it. With `ownerAccountId`, only a hold of that account. */
  take(holdId: string, ownerAccountId?: string): Hold | undefined {
    const hold = this.#entries.get(holdId)?.hold;
    if (!hold || (ownerAccountId !== undefined && hold.ownerAccountId !== ownerAccountId)) return undefined;
    this.#entries.delete(holdId);
    return hold;
  }
}
