import type { Context } from '../../context.js';
import type { Scope } from '../../domain/scope.js';
import type { Session } from '../../domain/session.js';
import { listSessions as readSessions } from '../../store/sessions.js';
import type { Page } from '../page.js';

/** Newest first. */
export async function listSessions(
  ctx: Context,
  scope: Scope,
  { limit, offset }: Page,
): Promise<{ sessions: Session[]; hasMore: boolean }> {
  const rows = await readSessions(ctx.pool, scope, { take: limit + 1, skip: offset });
  return { sessions: rows.slice(0, limit), hasMore: rows.length > limit };
}
