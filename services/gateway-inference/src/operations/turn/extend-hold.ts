import { canCountInputTokens, countInputTokens, estimateInputTokens, exceedsContextWindow } from '@tollgate/catalog';
import type { ExtendHoldResponse } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { AppError, asAppError, isErrorCode } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { toExtras } from '@tollgate/spending';
import type { Context } from '../../context.js';
import { holdExpired } from '../held-work/held-work.js';
import type { TurnPlan } from './turn-plan.js';

const TIMEOUT_MS = 10_000;

/**
 * Extends the hold for a further model call of the turn, and bounds the call by what the hold covers.
 *
 * @throws AppError of the limit that refuses it; SERVICE_UNAVAILABLE when the hold has expired
 */
export async function extendHold(
  ctx: Pick<Context, 'holds'>,
  plan: TurnPlan,
  { extension, maxOutputTokens }: Omit<Extension, 'inputTokens'>,
  call: Call,
): Promise<void> {
  const { model, conversation } = plan;
  if (exceedsContextWindow(model, conversation.input())) {
    const message = `the conversation with its tool results is longer than the context window of ${model.model_id}`;
    throw new AppError('VALIDATION_ERROR', message);
  }
  const likely = estimateInputTokens(model, conversation.input());
  let inputTokens = likely;
  let decision = await ask(ctx, plan, { extension, inputTokens, maxOutputTokens }, call);
  if (decision.case === 'refused' && canCountInputTokens(model, conversation.input())) {
    // Counting takes longer than everything else here, so it is done only when money is short.
    inputTokens = await countInputTokens(model, conversation.input());
    if (inputTokens < likely) decision = await ask(ctx, plan, { extension, inputTokens, maxOutputTokens }, call);
  }
  if (decision.case !== 'admitted') {
    const { code = '', message = '' } = decision.value ?? {};
    throw new AppError(isErrorCode(code) ? code : 'PAYMENT_REQUIRED', message);
  }
  conversation.inputTokensEstimate = inputTokens;
  conversation.maxOutputTokens = decision.value.maxOutputTokens || model.max_output_tokens;
}

interface Extension {
  extension: number;
  inputTokens: number;
  maxOutputTokens: number | undefined;
}

async function ask(
  ctx: Pick<Context, 'holds'>,
  { holdId, conversation }: TurnPlan,
  { extension, inputTokens, maxOutputTokens }: Extension,
  call: Call,
): Promise<ExtendHoldResponse['decision']> {
  const request = {
    holdId,
    extension,
    inputTokensEstimate: BigInt(inputTokens),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    extras: toExtras(conversation.input()),
  };
  const answer = await ctx.holds.extendHold(request, call.with({ timeoutMs: TIMEOUT_MS })).catch(rejectAsExpired);
  return answer.decision;
}

function rejectAsExpired(thrown: unknown): never {
  const error = asAppError(thrown);
  if (error.code !== 'NOT_FOUND') throw error;
  throw holdExpired(error);
}
