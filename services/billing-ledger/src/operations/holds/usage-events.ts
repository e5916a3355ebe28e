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

/** Returns `usage.recorded`, which also stands for `request.completed` if the report describes the request. */
export function settlementEvent(hold: Hold, settlement: Settlement, report: Report): OutboxEvent {
  return usageEvent(eventTypes.usageRecorded, hold, settlement, report);
}

/** Returns `usage.corrected`, whose figures replace those of an earlier `usage.recorded`. */
export function correctionEvent(hold: Hold, settlement: Settlement, report: Report): OutboxEvent {
  return usageEvent(eventTypes.usageCorrected, hold, settlement, report);
}

function usageEvent(
  definition: typeof eventTypes.usageRecorded,
  hold: Hold,
  settlement: Settlement,
  { usage: reported, facts, traceparent }: Report,
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
      completesRequest: facts !== undefined && definition === eventTypes.usageRecorded,
    },
  });
}

/** Returns a report's usage as events show it: fees are part of the charge, not of the tokens. */
function countedUsage(usage: Usage): Usage {
  return usage.toolFeeTokens === 0n
    ? usage
    : { ...usage, inputTokens: usage.inputTokens - usage.toolFeeTokens, toolFeeTokens: 0n };
}
