import { type CatalogModel, toolFeeTokens } from '@tollgate/catalog';
import type { Settlement } from '../../clients/settlements.js';
import { NOTHING_SERVED, type ProtoUsage, type ServedUsage, toProtoUsage } from '../../domain/usage.js';
import type { TurnPlan } from '../turn/turn-plan.js';

/** How a turn ended, for the ledger and its reports. */
export interface Ending {
  usage: ServedUsage;
  success: boolean;
  /** HTTP-like; 499 when the caller left. */
  status: number;
  errorCode: string;
  stopReason: string;
  responseId?: string;
  /** The call was cut off before its provider had told anything. */
  isInDoubt?: boolean;
}

/** The ledger charges tokens: fees of the provider's own tools are settled as input tokens that cost as much. */
export function billedUsage(model: CatalogModel, usage: ServedUsage): ProtoUsage {
  return toProtoUsage({ ...usage, inputTokens: usage.inputTokens + toolFeeTokens(model, usage) });
}

export function settlementOf(plan: TurnPlan, ending: Ending, nowMs: number): Settlement {
  return {
    holdId: plan.holdId,
    usage: billedUsage(plan.model, plan.isReplay ? NOTHING_SERVED : ending.usage),
    isInDoubt: ending.isInDoubt ?? false,
    facts: {
      responseId: ending.responseId ?? '',
      modelId: plan.model.model_id,
      provider: plan.facts.provider,
      status: ending.status,
      success: ending.success,
      streaming: plan.isStream,
      executionOrigin: plan.isReplay ? 'response_cache' : 'provider',
      durationMs: BigInt(Math.max(0, nowMs - plan.facts.startedAt)),
      stopReason: ending.stopReason,
      errorCode: ending.errorCode,
    },
  };
}
