import { type CatalogModel, estimateInputTokens, exceedsContextWindow } from '@tollgate/catalog';
import { type Admission, type AdmitResponse, MeteredKind } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, isErrorCode, isRefusalCode, refusalError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import type { HotExchange } from './hot-exchange.js';
import type { TurnRequest } from './hot-route.js';
import { releaseHold } from './release-hold.js';

export interface AdmittedTurn {
  admission: Admission;
  inputTokensEstimate: number;
}

const ADMIT_TIMEOUT_MS = 10_000;

/** Counted like any model whose vocabulary is not known: an upper bound for all of them. */
const anyModel: CatalogModel = {
  model_id: 'unknown',
  display_name: 'unknown',
  provider: 'openai',
  description: '',
  capabilities: [],
  context_window: Number.MAX_SAFE_INTEGER,
  max_output_tokens: 0,
  deprecated: false,
  routes: [],
  tokenizer: 'bytes',
};

/** Reserves funds for the turn. @throws AppError for a refusal, as its reader may see it */
export async function admitTurn(exchange: HotExchange, turn: TurnRequest, call: Call): Promise<AdmittedTurn> {
  const { ctx, route, audience } = exchange;
  const model = await modelOf(ctx, turn, call.requirePrincipal());
  if (model && exceedsContextWindow(model, turn.input)) throw tooLong(model);
  const inputTokensEstimate = estimateInputTokens(model ?? anyModel, turn.input);
  const decision = await decide(exchange, turn, inputTokensEstimate, call);
  if (decision.case === 'admitted') return { admission: decision.value, inputTokensEstimate };
  if (decision.case === undefined) throw new AppError('INTERNAL_ERROR', 'internal error');
  const { code, message } = decision.value;
  if (isRefusalCode(code)) throw refusalError(code, audience);
  if (code === 'INVALID_INPUT' && turn.model !== undefined && !model) throw route.unknownModel(turn.model);
  throw new AppError(isErrorCode(code) ? code : 'PAYMENT_REQUIRED', message);
}

async function decide(
  exchange: HotExchange,
  turn: TurnRequest,
  inputTokensEstimate: number,
  call: Call,
): Promise<AdmitResponse['decision']> {
  const request = {
    requestId: exchange.ids.billing,
    kind: MeteredKind.TEXT,
    model: turn.model ?? '',
    inputTokensEstimate: BigInt(inputTokensEstimate),
    ...(turn.maxOutputTokens === undefined ? {} : { maxOutputTokens: turn.maxOutputTokens }),
  };
  try {
    const answer = await exchange.ctx.clients.billing.admit(request, call.with({ timeoutMs: ADMIT_TIMEOUT_MS }));
    return answer.decision;
  } catch (error) {
    // Whether the answer or the request got lost is not known; the client is not kept waiting for the release.
    void releaseHold(exchange, call);
    throw error;
  }
}

/** The model as far as it is known here; without a name, the one that the customer's tier means by that. */
async function modelOf(ctx: Context, turn: TurnRequest, principal: Principal): Promise<CatalogModel | undefined> {
  if (turn.model !== undefined) return ctx.catalog.find(turn.model);
  if (principal.tierCode === '') return undefined;
  const found = ctx.tierLimits.find(principal);
  const { defaultModel } = found instanceof Promise ? await found : found;
  return defaultModel === undefined ? undefined : ctx.catalog.find(defaultModel);
}

function tooLong(model: CatalogModel): AppError {
  const message = `the input is longer than the context window of ${model.model_id} (${model.context_window} tokens)`;
  return new AppError('VALIDATION_ERROR', message, { fields: [{ field: 'input', message }] });
}
