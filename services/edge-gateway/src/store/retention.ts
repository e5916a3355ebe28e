import type { Queryable } from '@tollgate/postgres';
import { FORGET_FAILURES_AFTER, KNOWN_FOR } from './sign-in-sources.js';

/** Which rows of a table may go, and the indexed column that orders them by age. */
interface RetentionRule {
  table: string;
  column: string;
  condition: string;
}

function rules(auditKeepDays: number): RetentionRule[] {
  return [
    { table: 'idempotency_records', column: 'expires_at', condition: 'expires_at <= now()' },
    { table: 'revocations', column: 'expires_at', condition: 'expires_at <= now()' },
    { table: 'sessions', column: 'expires_at', condition: 'expires_at <= now()' },
    { table: 'refresh_tokens', column: 'expires_at', condition: 'expires_at <= now()' },
    { table: 'oauth_sign_ins', column: 'expires_at', condition: 'expires_at <= now()' },
    // An expired code is still explained to its device for an hour.
    { table: 'device_sign_ins', column: 'expires_at', condition: "expires_at <= now() - interval '1 hour'" },
    {
      table: 'sign_in_sources',
      column: 'touched_at',
      condition: `touched_at < now() - ${FORGET_FAILURES_AFTER} AND succeeded_at IS NULL`,
    },
    { table: 'sign_in_sources', column: 'touched_at', condition: `touched_at < now() - ${KNOWN_FOR}` },
    // Written by the previous version only.
    { table: 'sign_in_failures', column: 'failed_at', condition: `failed_at < now() - ${FORGET_FAILURES_AFTER}` },
    { table: 'audit_events', column: 'at', condition: `at < now() - ${auditKeepDays} * interval '1 day'` },
  ];
}

/** Deletes one batch of at most `limit` rows per rule, oldest first. Returns true if a batch was full: more may remain. */
export async function deleteInBatches(db: Queryable, auditKeepDays: number, limit: number): Promise<boolean> {
  let hasMore = false;
  for (const { table, column, condition } of rules(auditKeepDays)) {
    const { rowCount } = await db.query(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${table} WHERE ${condition} ORDER BY ${column} LIMIT $1 FOR UPDATE SKIP LOCKED))`,
      [limit],
    );
    hasMore ||= rowCount === limit;
  }
  return hasMore;
}
