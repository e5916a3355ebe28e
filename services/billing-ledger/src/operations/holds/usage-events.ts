import type { RequestFacts, Usage } from '@tollgate/contracts/common/v1/usage_pb.js';
import { eventTypes, newEvent, type OutboxEvent } from '@tollgate/events';
import type { Hold } from '../../domain/hold.js';
import { countedInputTokens } from '../../domain/price.js';
import type { Settlement } from '../../domain/settle-hold.js';

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
