import {
  type CatalogModel,
  canCountInputTokens,
  countInputTokens,
  estimateInputTokens,
  exceedsContextWindow,
} from '@tollgate/catalog';
import type { Admission } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { admissionOf, askLedger, isUnable, type Spender, type SpendTerms } from './ask-ledger.js';
import type { TurnRequest } from './turn-route.js';

export interface AdmittedTurn {
  admission: Admission;
  inputTokensEstimate: number;
}

/** Counted like any model whose vocabulary is not known: an upper bound for all of them. */
const anyModel: CatalogModel = {
  model_id: 'unknown',
  aliases: [],
  display_name: 'unknown',
  provider: 'openai',
  description: '',
  capabilities: [],
  context_window: Number.MAX_SAFE_INTEGER,
  max_output_tokens: 0,
  reasons: false,
  deprecated: false,
  routes: [],
  metered_in: 'tokens',
  tokenizer: 'bytes',
};

/** Reserves funds for the turn. @throws AppError for a refusal, as its reader may see it */
export async function admitTurn(spender: Spender, turn: TurnRequest, call: Call): Promise<AdmittedTurn> {
  const model = await modelOf(spender.ctx, turn.model, call.requirePrincipal());
  if (model && exceedsContextWindow(model, turn.input)) throw tooLong(model);
  const terms: SpendTerms = {
    model: turn.model,
    inputTokensEstimate: estimateInputTokens(model ?? anyModel, turn.input),
    maxOutputTokens: turn.maxOutputTokens,
    estimateIsLoose: model !== undefined && canCountInputTokens(model, turn.input),
  };
  let decision = await askLedger(spender, terms, call);
  if (model && decision.case === 'refused' && decision.value.mayFitCounted) {
    // Counting takes longer than all the rest, so it waits until money is short.
    terms.inputTokensEstimate = await countInputTokens(model, turn.input);
    terms.estimateIsLoose = false;
    decision = await askLedger(spender, terms, call);
  }
  if (isUnable(decision, model, 'text')) {
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', `model ${model.model_id} lacks the capability text`);
  }
  const admission = admissionOf(spender, decision, turn.model, model);
  return { admission, inputTokensEstimate: terms.inputTokensEstimate };
}

/** The model as far as it is known here; without a name, the one that the customer's tier means by that. */
export async function modelOf(
  ctx: Context,
  name: string | undefined,
  principal: Principal,
): Promise<CatalogModel | undefined> {
  if (name !== undefined) return ctx.catalog.find(name);
  if (principal.tierCode === '') return undefined;
  const found = ctx.tierLimits.find(principal);
  const { defaultModel } = found instanceof Promise ? await found : found;
  return defaultModel === undefined ? undefined : ctx.catalog.find(defaultModel);
}

/** In the words of the vendors: agents look for them to shorten their conversation. */
function tooLong({ model_id: name, context_window: tokens }: CatalogModel): AppError {
  const message = `prompt is too long: this model's maximum context length is ${tokens} tokens (${name})`;
  return new AppError('VALIDATION_ERROR', message, {
    fields: [{ field: 'input', message }],
    vendorError: { shape: 'openai', code: 'context_length_exceeded' },
  });
}
