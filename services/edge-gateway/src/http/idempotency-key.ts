import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { hashJson, idempotencyScope } from '../domain/idempotency.js';
import { beginIdempotent, type IdempotentStart } from '../operations/begin-idempotent.js';

/** @throws AppError INVALID_INPUT for a malformed header */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new AppError('INVALID_INPUT', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
  }
  return key;
}

/**
 * Starts a request that carries an `Idempotency-Key`. Knows no framework: the hot routes use it too. `path` is method
 * and path, `body` the parsed JSON without whatever does not belong to the comparison.
 */
export function startIdempotent(
  ctx: Context,
  request: { principal: Principal; path: string; key: string; body: unknown },
  call: Call,
): Promise<IdempotentStart> {
  const { principal, path, key, body } = request;
  return beginIdempotent(ctx.pool, { scope: idempotencyScope(principal), path, key }, hashJson(body), call);
}
