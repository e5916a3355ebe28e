import type { RequestFacts, Usage } from '@tollgate/contracts/common/v1/usage_pb.js';
import { eventTypes, newEvent, type OutboxEvent } from '@tollgate/events';
import type { Hold } from '../../domain/hold.js';
import type { Settlement } from '../../domain/settle-hold.js';

/** What ended a hold. */
export interface Report {
  usage: Usage | undefined;
  facts: RequestFacts | undefined;
  traceparent?: string | undefined;
}

/** Returns `usage.recorded`, and `request.completed` if the report describes the request. */
export function settlementEvents(hold: Hold, settlement: Settlement, report: Report): OutboxEvent[] {
  const recorded = usageEvent(eventTypes.usageRecorded, hold, settlement, report);
  const { usage, facts, traceparent } = report;
  if (!facts) return [recorded];
  const { terms } = hold;
  const completed = newEvent(eventTypes.requestCompleted, {
    key: terms.customerId ?? terms.projectId,
    requestId: terms.requestId,
    traceparent,
    message: {
      requestId: terms.requestId,
      projectId: terms.projectId,
      customerId: terms.customerId ?? '',
      tierId: terms.tierId ?? '',
      tierCode: terms.tierCode ?? '',
      facts,
      ...(usage && { usage }),
    },
  });
  return [recorded, completed];
}

/** Returns `usage.corrected`, whose figures replace those of an earlier `usage.recorded`. */
export function correctionEvent(hold: Hold, settlement: Settlement, report: Report): OutboxEvent {
  return usageEvent(eventTypes.usageCorrected, hold, settlement, report);
}

function usageEvent(
  definition: typeof eventTypes.usageRecorded,
  hold: Hold,
  settlement: Settlement,
  { usage, facts, traceparent }: Report,
): OutboxEvent {
  const { terms } = hold;
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
        inputTokens: settlement.used.inputTokens,
        outputTokens: settlement.used.outputTokens,
        images: Number(settlement.used.images),
        estimated: true,
      },
      customerMicrocents: settlement.customerMicrocents,
      providerMicrocents: settlement.ownerMicrocents,
      overrunMicrocents: settlement.overrunMicrocents,
      unreconciledMicrocents: settlement.unreconciledMicrocents,
    },
  });
}
