import { AppError } from '@tollgate/errors';
import type { Context } from '../context.js';
import type { Message } from '../domain/message.js';
import type { RunOwners, Scope } from '../domain/scope.js';
import { listTakenMessages, lockReadKey, takeUnreadMessages } from '../store/messages.js';
import { openMailbox } from './open-mailbox.js';

const LIMIT_MAX = 200;

export interface ReadInboxCommand {
  address: string;
  limit: number;
  runs: RunOwners;
  dedupeKey: string | undefined;
}

/**
 * Takes unread messages and marks them read. A repeat with the same key gets what the first call took, also when that one
 * is still under way: its caller may be given up without being dead.
 */
export async function readInbox(ctx: Context, scope: Scope, command: ReadInboxCommand): Promise<Message[]> {
  const { address, limit, runs, dedupeKey } = command;
  if (limit < 1 || limit > LIMIT_MAX) throw new AppError('VALIDATION_ERROR', `limit must be from 1 to ${LIMIT_MAX}`);
  const to = await openMailbox(ctx, scope, address, 'address', runs);
  const take = { to, limit, at: ctx.clock.now(), readKey: dedupeKey };
  if (dedupeKey === undefined) return takeUnreadMessages(ctx.prisma, scope, take);
  return ctx.prisma.$transaction(async (tx) => {
    await lockReadKey(tx, scope, dedupeKey);
    const taken = await listTakenMessages(tx, scope, to, dedupeKey);
    return taken.length > 0 ? taken : takeUnreadMessages(tx, scope, take);
  });
}
