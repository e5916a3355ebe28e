import type { CatalogModel } from '@tollgate/catalog';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, type Audience } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { newOrderedId } from '@tollgate/runtime';
import { admit, namesUnknownModel, refusal, unknownModel } from '@tollgate/spending';
import type { Context } from '../../context.js';
import { ProviderFailure, turnError } from '../../domain/provider-failure.js';
import type { RealtimeConnection, RealtimeProvider } from '../../providers/contract/realtime-provider.js';
import type { HeldWorkContext } from '../held-work/held-work.js';
import { type ConnectedRoute, findConnectedRoutes } from '../held-work/routes.js';

/** The parts of the context that sessions use. */
export type SessionContext = HeldWorkContext & Pick<Context, 'catalog' | 'ledger' | 'realtimeSessions'>;

export type RealtimeRoute = ConnectedRoute<RealtimeProvider>;

/** A session that may be opened. */
export interface SessionPlan {
  readonly call: Call;
  readonly model: CatalogModel;
  /** The client's name of the model. */
  readonly modelName: string;
  readonly routes: readonly RealtimeRoute[];
  readonly audience: Audience;
}

/** The client's name of a model and how much of it is asked for. */
interface AdmissionProbe {
  model: string;
  inputTokens?: number;
  maxOutputTokens?: number;
}

/** Tokens of a first, short response: what a caller must be able to pay for to open a session. */
const FIRST_TOKENS = 1_000;

/** @throws AppError for a model that holds no conversations, or that has no provider */
export function planSession(ctx: Pick<Context, 'catalog' | 'connections'>, name: string, call: Call): SessionPlan {
  const model = ctx.catalog.find(name);
  if (!model) throw unknownModel(name);
  if (model.serves !== 'realtime') {
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', `model ${model.model_id} holds no realtime sessions`);
  }
  const routes = findConnectedRoutes(ctx.connections, model, 'realtime');
  const isCustomer = call.requirePrincipal().kind === PrincipalKind.CUSTOMER;
  return { call, model, modelName: name, routes, audience: isCustomer ? 'customer' : 'project' };
}

/**
 * Checks that the caller may use a model and could pay for a few tokens. Nothing stays held: each response is admitted by
 * itself.
 *
 * @throws AppError for a refusal
 */
export async function checkAdmission(
  ctx: Pick<Context, 'catalog' | 'ledger'>,
  { call, audience }: SessionPlan,
  { model, inputTokens = FIRST_TOKENS, maxOutputTokens = FIRST_TOKENS }: AdmissionProbe,
): Promise<void> {
  const hold = { holdId: newOrderedId() };
  const outcome = await admit(ctx.ledger, { hold, model, inputTokens, maxOutputTokens }, call);
  if (outcome.kind === 'refused') {
    if (namesUnknownModel(outcome, model, ctx.catalog.find(model))) throw unknownModel(model);
    throw refusal(outcome, audience);
  }
  releaseQuietly(ctx, hold.holdId, call);
}

/** Frees a hold under which nothing was done, in the background: it is no request in any report. */
export function releaseQuietly({ ledger }: Pick<Context, 'ledger'>, holdId: string, call: Call): void {
  const request = { holdIds: [holdId] };
  const fields = { hold_id: holdId, request_id: call.requestId };
  // The hold expires if the ledger cannot be reached.
  void ledger.endings.run(() => ledger.billing.release(request, call.detached(5_000)), fields, 0).catch(ignore);
}

/** Connects to the first route that takes the session. @throws AppError when none does */
export async function connect(
  ctx: Pick<Context, 'logger'>,
  { call, routes }: SessionPlan,
): Promise<{ route: RealtimeRoute; connection: RealtimeConnection }> {
  const failures: ProviderFailure[] = [];
  for (const route of routes) {
    const { provider, upstreamModel } = route;
    try {
      const asked = { requestId: call.requestId, upstreamModel, signal: call.signal };
      return { route, connection: await provider.connect(asked) };
    } catch (error) {
      if (!(error instanceof ProviderFailure) || call.isAborted) throw error;
      const { kind, status, cause } = error;
      const fields = { err: cause, provider: provider.id, kind, status, request_id: call.requestId };
      ctx.logger.warn(fields, 'provider call failed');
      failures.push(error);
    }
  }
  throw turnError(failures, call.requestId);
}

function ignore(): void {}
