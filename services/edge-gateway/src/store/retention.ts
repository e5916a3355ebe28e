import type { Queryable } from '@tollgate/postgres';
import { FORGET_FAILURES_AFTER, KNOWN_FOR } from './sign-in-sources.js';

/** Rows that are deleted some time after their end. */
interface RetentionRule {
  /** In the plural. */
  name: string;
  table: string;
  /** Parameter 2 is the number of days that audit events are kept. */
  isPast: string;
}

/** Expired sessions take their tokens with them; tokens of active sessions expire by themselves. */
export const RETENTION_RULES: readonly RetentionRule[] = [
  { name: 'idempotency records', table: 'idempotency_records', isPast: 'expires_at <= now()' },
  { name: 'revocations', table: 'revocations', isPast: 'expires_at <= now()' },
  { name: 'sessions', table: 'sessions', isPast: 'expires_at <= now()' },
  { name: 'refresh tokens', table: 'refresh_tokens', isPast: 'expires_at <= now()' },
  { name: 'sign-ins at providers', table: 'oauth_sign_ins', isPast: 'expires_at <= now()' },
  // Kept for a while, so that a late poll gets `expired_token`.
  { name: 'device sign-ins', table: 'device_sign_ins', isPast: "expires_at <= now() - interval '1 hour'" },
  {
    name: 'sign-in sources',
    table: 'sign_in_sources',
    isPast: `touched_at < now() - ${FORGET_FAILURES_AFTER}
      AND (succeeded_at IS NULL OR succeeded_at < now() - ${KNOWN_FOR})`,
  },
  { name: 'audit events', table: 'audit_events', isPast: "at < now() - $2 * interval '1 day'" },
];

/** Deletes at most `limit` rows and returns how many. */
export async function deletePast(
  db: Queryable,
  { table, isPast }: RetentionRule,
  auditKeepDays: number,
  limit: number,
): Promise<number> {
  const values = isPast.includes('$2') ? [limit, auditKeepDays] : [limit];
  const { rowCount } = await db.query(
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM ${table} WHERE ${isPast} LIMIT $1 FOR UPDATE SKIP LOCKED))`,
    values,
  );
  return rowCount ?? 0;
}
