import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, isAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { type BodyDigest, idempotencyScope } from '../../domain/idempotency.js';
import { beginIdempotent, type IdempotentStart } from '../../operations/begin-idempotent.js';
import type { KeptAnswer } from '../../store/idempotency-records.js';
import type { RenderedError } from '../answer/render-error.js';
import type { RequestIds } from './request-id.js';

/** One call for every lost attempt; a batch has many holds. */
const SUPERSEDE_TIMEOUT_MS = 20_000;

/** @throws AppError INVALID_INPUT for a malformed header */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new AppError('INVALID_INPUT', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
  }
  return key;
}

export interface IdempotentRequest {
  principal: Principal;
  /** Method and path. */
  path: string;
  key: string;
  /** Of the body, without the parts that do not belong to the comparison. */
  digest: BodyDigest;
  ids: RequestIds;
  /** Ids of the holds that the attempt with this id may have made; absent when the route makes none of its own. */
  holdIds: ((attemptId: string) => readonly string[]) | undefined;
}

/** Starts a request that carries an `Idempotency-Key`. Independent of Express: the hot routes use it too. */
export async function startIdempotent(ctx: Context, request: IdempotentRequest, call: Call): Promise<IdempotentStart> {
  const { principal, path, key, digest, ids, holdIds } = request;
  const place = { scope: idempotencyScope(principal), path, key };
  const attempt = { id: ids.holdId, isUndispatched: () => ids.isUndispatched === true };
  const supersede = async (lostId: string): Promise<void> => {
    if (!holdIds) return;
    await ctx.clients.holds.supersedeHolds({ holdIds: [...holdIds(lostId)] }, call.detached(SUPERSEDE_TIMEOUT_MS));
  };
  return beginIdempotent({ pool: ctx.pool, supersede }, place, digest, attempt, call);
}

/** Of a route that holds funds under the attempt's own id. */
export function ownHold(attemptId: string): readonly string[] {
  return [attemptId];
}

/** An error that a repeat of the same request would get again, as it is kept for that repeat; undefined for others. */
export function keptRefusal(error: unknown, render: (error: AppError) => RenderedError): KeptAnswer | undefined {
  if (!isAppError(error) || error.retryable) return undefined;
  const { status, headers, body } = render(error);
  return { status, headers, body: Buffer.from(body) };
}
