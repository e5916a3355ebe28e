import { type CatalogModel, canCountInputTokens, exceedsContextWindow } from '@tollgate/catalog';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, type Audience } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import {
  ADMISSION_TIMEOUT_MS,
  type AdmitInput,
  type Admitted,
  admit,
  estimate,
  namesUnknownModel,
  type Outcome,
  refusal,
} from '@tollgate/spending';
import type { Context } from '../../context.js';
import { takenOver } from '../../operations/begin-idempotent.js';
import type { RequestIds } from '../exchange/exchange.js';
import type { RequestRecord } from '../exchange/request-record.js';
import type { TurnRequest } from './turn-route.js';

/** The parts of the context that the admission of a request uses. */
export type SpendingContext = Pick<Context, 'catalog' | 'ledger' | 'tierLimits'>;

/** Who asks for funds, and how the route answers. `ids` is the request's hold. */
export interface Spender {
  ctx: SpendingContext;
  ids: RequestIds;
  audience: Audience;
  record: RequestRecord;
  route: { path: string; unknownModel(model: string): AppError };
}

/** A spender that may start a turn. */
export interface TurnSpender extends Spender {
  ctx: SpendingContext & Pick<Context, 'clients' | 'turnGate'>;
}

const RETRY_AFTER_SECONDS = 1;

/** Holds funds for the turn when it is its account's turn. @throws AppError for a refusal, as its reader may see it */
export function admitInTurn(spender: TurnSpender, turn: TurnRequest, call: Call): Promise<Admitted> {
  const { ctx, ids, record } = spender;
  const { accountId } = call.requirePrincipal();
  // Until its admission is asked for, a turn has certainly spent nothing.
  ids.isUndispatched = true;
  // One limit for the wait at the gate and the ledger's decision: both are long while the ledger's database hangs.
  const limited = call.with({ timeoutMs: ADMISSION_TIMEOUT_MS });
  const wait = { signal: limited.signal, waitMs: limited.remainingMs(), refuse: tooMany };
  return record.admitting(() => ctx.turnGate.run(accountId, () => admitTurn(spender, turn, limited), wait));
}

function tooMany(): AppError {
  const options = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  return new AppError('SERVICE_UNAVAILABLE', 'too many requests of this account are waiting', options);
}

async function admitTurn(spender: Spender, turn: TurnRequest, call: Call): Promise<Admitted> {
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

/** The ledger knows prices, not capabilities. Returns whether it refused because the model lacks the capability. */
export function isUnable(
  outcome: Outcome,
  model: CatalogModel | undefined,
  capability: CatalogModel['capabilities'][number],
): model is CatalogModel {
  const isInvalid = outcome.kind === 'refused' && outcome.code === 'INVALID_INPUT';
  return isInvalid && model !== undefined && !model.capabilities.includes(capability);
}

/** A model as the client named it, and as the catalog has it. */
interface NamedModel {
  named: string | undefined;
  known: CatalogModel | undefined;
}

/** Notes the ledger's decision in the log line of the request, and the tier that it names. */
export function noteOutcome({ ctx, record }: Spender, outcome: Outcome, call: Call, { known }: NamedModel): void {
  record.admission = outcome.kind === 'refused' ? outcome.code : outcome.kind;
  if (outcome.kind === 'refused') {
    record.model = known?.model_id;
    record.checkedLimits = outcome.limits ?? [];
  }
  if (outcome.kind !== 'admitted') return;
  record.model = outcome.admission.modelId;
  ctx.tierLimits.note(call.requirePrincipal(), outcome.admission.tierCode);
}

/** @throws AppError for a refusal, as its reader may see it; CONFLICT when a repeat has superseded this attempt */
export function requireAdmitted(
  { ctx, route, audience }: Spender,
  outcome: Outcome,
  { named, known }: NamedModel,
): Admitted {
  if (outcome.kind === 'ended') throw takenOver();
  if (outcome.kind === 'admitted') return outcome;
  if (!namesUnknownModel(outcome, named, known)) throw refusal(outcome, audience);
  throw route.unknownModel(`${named}${ctx.catalog.adviceOn(named)}`);
}
