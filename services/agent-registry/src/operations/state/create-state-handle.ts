import { randomUUID } from 'node:crypto';
import { STATE_HANDLE_TTL_SECONDS_MAX } from '@tollgate/api/state';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import type { Scope } from '../../domain/scope.js';
import { newStateHandle, type StateHandle } from '../../domain/state-handle.js';
import { insertStateHandle } from '../../store/state-handles.js';

/** @throws AppError VALIDATION_ERROR when the time to live is out of range */
export async function createStateHandle(
  ctx: Pick<Context, 'clock' | 'pool'>,
  scope: Scope,
  ttlSeconds: number | undefined,
): Promise<StateHandle> {
  if (ttlSeconds !== undefined && (ttlSeconds < 1 || ttlSeconds > STATE_HANDLE_TTL_SECONDS_MAX)) {
    const message = `must be from 1 to ${STATE_HANDLE_TTL_SECONDS_MAX}`;
    throw new AppError('VALIDATION_ERROR', `ttl_seconds: ${message}`, { fields: [{ field: 'ttl_seconds', message }] });
  }
  const handle = newStateHandle(randomUUID(), scope, ttlSeconds, ctx.clock.now());
  await insertStateHandle(ctx.pool, handle);
  return handle;
}
