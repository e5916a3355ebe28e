import type { Queryable } from '@tollgate/postgres';
import { FORGET_FAILURES_AFTER, KNOWN_FOR } from './sign-in-sources.js';

/** Rows that are deleted some time after their end. */
interface RetentionRule {
  /** In the plural. */
  name: string;
  table: string;
  /** The indexed column that orders the rows by age. */
  column: string;
  /** Parameter 2 is the number of days that audit events are kept. */
  isPast: string;
}

/** Deleting a session also deletes its refresh tokens. Tokens of active sessions have their own expiry. */
export const RETENTION_RULES: readonly RetentionRule[] = [
  { name: 'idempotency records', table: 'idempotency_records', column: 'expires_at', isPast: 'expires_at <= now()' },
  { name: 'revocations', table: 'revocations', column: 'expires_at', isPast: 'expires_at <= now()' },
  { name: 'sessions', table: 'sessions', column: 'expires_at', isPast: 'expires_at <= now()' },
  { name: 'refresh tokens', table: 'refresh_tokens', column: 'expires_at', isPast: 'expires_at <= now()' },
  { name: 'sign-ins at providers', table: 'oauth_sign_ins', column: 'expires_at', isPast: 'expires_at <= now()' },
  { name: 'portal links', table: 'portal_links', column: 'expires_at', isPast: 'expires_at <= now()' },
  { name: 'one-time codes', table: 'one_time_codes', column: 'expires_at', isPast: 'expires_at <= now()' },
  // An expired invitation is listed for a month, so that it can be sent again.
  {
    name: 'invitations',
    table: 'project_invitations',
    column: 'expires_at',
    isPast: "expires_at <= now() - interval '30 days'",
  },
  { name: 'mails', table: 'mails', column: 'created_at', isPast: "created_at < now() - interval '7 days'" },
  { name: 'customer sessions', table: 'customer_sessions', column: 'expires_at', isPast: 'expires_at <= now()' },
  // An expired code is still explained to its device for an hour.
  {
    name: 'device sign-ins',
    table: 'device_sign_ins',
    column: 'expires_at',
    isPast: "expires_at <= now() - interval '1 hour'",
  },
  {
    name: 'device sign-ins of owners',
    table: 'owner_device_sign_ins',
    column: 'expires_at',
    isPast: "expires_at <= now() - interval '1 hour'",
  },
  {
    name: 'failed sign-in sources',
    table: 'sign_in_sources',
    column: 'touched_at',
    isPast: `touched_at < now() - ${FORGET_FAILURES_AFTER} AND succeeded_at IS NULL`,
  },
  {
    name: 'known sign-in sources',
    table: 'sign_in_sources',
    column: 'touched_at',
    isPast: `touched_at < now() - ${KNOWN_FOR}`,
  },
  { name: 'audit events', table: 'audit_events', column: 'at', isPast: "at < now() - $2 * interval '1 day'" },
];

/** Deletes one batch of at most `limit` rows per rule. Returns true if a batch was full: more may remain. */
export async function deleteInBatches(db: Queryable, auditKeepDays: number, limit: number): Promise<boolean> {
  let hasMore = false;
  for (const rule of RETENTION_RULES) {
    const deleted = await deletePast(db, rule, auditKeepDays, limit);
    hasMore ||= deleted === limit;
  }
  return hasMore;
}

/** Deletes at most `limit` rows, oldest first, and returns how many. */
export async function deletePast(
  db: Queryable,
  { table, column, isPast }: RetentionRule,
  auditKeepDays: number,
  limit: number,
): Promise<number> {
  const values = isPast.includes('$2') ? [limit, auditKeepDays] : [limit];
  const { rowCount } = await db.query(
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM ${table} WHERE ${isPast} ORDER BY ${column} LIMIT $1 FOR UPDATE SKIP LOCKED))`,
    values,
  );
  return rowCount ?? 0;
}
