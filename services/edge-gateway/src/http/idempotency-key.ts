import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { hashJson, idempotencyScope } from '../domain/idempotency.js';
import { beginIdempotent, type IdempotentStart } from '../operations/begin-idempotent.js';
import type { RequestIds } from './request-id.js';

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
 * and path, `body` the parsed JSON without whatever does not belong to the comparison. When it takes over from an attempt
 * that died, its ids say so, and what it admits is paid for in that attempt's place.
 */
export async function startIdempotent(
  ctx: Context,
  request: { principal: Principal; path: string; key: string; body: unknown; ids: RequestIds },
  call: Call,
): Promise<IdempotentStart> {
  const { principal, path, key, body, ids } = request;
  const place = { scope: idempotencyScope(principal), path, key };
  const start = await beginIdempotent(ctx.pool, place, hashJson(body), ids.billing, call);
  if (start.kind === 'run' && start.supersedes !== undefined) ids.supersedes = start.supersedes;
  return start;
}
