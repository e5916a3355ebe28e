import type { Context } from '../context.js';
import type { Scope } from '../domain/scope.js';
import { setMessageRead } from '../store/messages.js';
import { getMessage } from './get-message.js';

/** Idempotent: keeps the time of the first reading. @throws AppError NOT_FOUND */
export async function markMessageRead(ctx: Pick<Context, 'clock' | 'pool'>, scope: Scope, id: string): Promise<void> {
  const message = await getMessage(ctx, scope, id);
  if (!message.readAt) await setMessageRead(ctx.pool, scope, id, ctx.clock.now());
}
