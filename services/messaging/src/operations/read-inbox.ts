import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../context.js';
import type { Message } from '../domain/message.js';
import type { RunOwners, Scope } from '../domain/scope.js';
import { listTakenMessages, lockReadKey, takeUnreadMessages } from '../store/messages.js';
import { openMailbox } from './open-mailbox.js';
import { requireLimit } from './require-limit.js';

export interface ReadInboxCommand {
  address: string;
  limit: number;
  runs: RunOwners;
  dedupeKey: string | undefined;
}

/**
 * Returns unread messages and marks them as read. A call with the key of an earlier one returns what that call took, also
 * while that call is still running: its caller may have timed out.
 */
export async function readInbox(
  ctx: Pick<Context, 'clock' | 'pool'>,
  scope: Scope,
  command: ReadInboxCommand,
): Promise<Message[]> {
  const { address, limit, runs, dedupeKey } = command;
  requireLimit(limit);
  const to = await openMailbox(ctx, scope, address, 'address', runs);
  const take = { to, limit, at: ctx.clock.now(), readKey: dedupeKey };
  if (dedupeKey === undefined) return takeUnreadMessages(ctx.pool, scope, take);
  return withTransaction(ctx.pool, async (tx) => {
    await lockReadKey(tx, scope, dedupeKey);
    const taken = await listTakenMessages(tx, scope, to, dedupeKey);
    return taken.length > 0 ? taken : takeUnreadMessages(tx, scope, take);
  });
}
