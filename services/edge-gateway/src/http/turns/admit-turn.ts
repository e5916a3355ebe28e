import { type CatalogModel, canCountInputTokens, exceedsContextWindow } from '@tollgate/catalog';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { type AdmitInput, type Admitted, admit, estimate } from '@tollgate/spending';
import type { Context } from '../../context.js';
import { isUnable, noteOutcome, requireAdmitted, type Spender } from './spender.js';
import type { TurnRequest } from './turn-request.js';

/** Holds funds for the turn. @throws AppError for a refusal, as its reader may see it */
export async function admitTurn(spender: Spender, turn: TurnRequest, call: Call): Promise<Admitted> {
  const model = await findModel(spender.ctx, turn.model, call.requirePrincipal());
  if (model && exceedsContextWindow(model, turn.input)) throw tooLong(model);
  const terms: AdmitInput = {
    hold: spender.ids,
    model: turn.model,
    inputTokens: estimate(model, turn.input),
    maxOutputTokens: turn.maxOutputTokens,
    extras: turn.input,
    passesOwnConnections: true,
    ...(turn.answers !== undefined && { answers: turn.answers }),
    countable: model && canCountInputTokens(model, turn.input) ? { model, input: turn.input } : undefined,
  };
  const outcome = await admit(spender.ctx.ledger, terms, call);
  if (isUnable(outcome, model, 'text')) {
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', `model ${model.model_id} lacks the capability text`);
  }
  const named = { named: turn.model, known: model };
  noteOutcome(spender, outcome, call, named);
  return requireAdmitted(spender, outcome, named);
}

/** Returns the named model, or the tier's default when no name is given; undefined if the catalog lacks it. */
export async function findModel(
  ctx: Pick<Context, 'catalog' | 'tierLimits'>,
  name: string | undefined,
  principal: Principal,
): Promise<CatalogModel | undefined> {
  if (name !== undefined) return ctx.catalog.find(name);
  if (principal.tierCode === '') return undefined;
  const { defaultModel } = await ctx.tierLimits.find(principal);
  return defaultModel === undefined ? undefined : ctx.catalog.find(defaultModel);
}

/** Uses the vendors' wording: agent frameworks match it to decide when to shorten the conversation. */
function tooLong({ model_id: name, context_window: tokens }: CatalogModel): AppError {
  const message = `prompt is too long: this model's maximum context length is ${tokens} tokens (${name})`;
  return new AppError('VALIDATION_ERROR', message, {
    fields: [{ field: 'input', message }],
    vendorError: { shape: 'openai', code: 'context_length_exceeded' },
  });
}
