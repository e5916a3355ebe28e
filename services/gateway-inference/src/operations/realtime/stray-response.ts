import { AppError } from '@tollgate/errors';
import { newOrderedId } from '@tollgate/runtime';
import { admit } from '@tollgate/spending';
import type { SessionState } from '../../domain/realtime/session-state.js';
import { ResponseWork } from './response-work.js';
import type { RealtimeRoute, SessionContext, SessionPlan } from './session-plan.js';

/**
 * Records a response that the vendor generates without being asked: what it may cost is held and settled as possibly served.
 * Resolves with the error that ends the session.
 */
export async function recordStray(
  ctx: SessionContext,
  { call, modelName, model }: SessionPlan,
  route: RealtimeRoute,
  state: SessionState,
  responseId: string,
): Promise<AppError> {
  const error = new AppError('PROVIDER_ERROR', 'the provider generated a response by itself');
  const fields = { request_id: call.requestId, response_id: responseId, provider: route.provider.id };
  ctx.logger.error(fields, 'realtime response without a hold');
  const holdId = newOrderedId();
  const outcome = await admit(ctx.ledger, { hold: { holdId }, model: modelName, ...state.boundStray() }, call);
  if (outcome.kind !== 'admitted') return error;
  const work = new ResponseWork(ctx, { call, holdId, model, route }, { cut() {}, holdExpired() {} });
  work.asked();
  await work.lose(error);
  return error;
}
