import type { Queryable } from '@tollgate/postgres';

/** A recorded call. Without a result, a process is making it until `isLost`. */
export interface RecordedCall {
  /** JSON. */
  result: string | undefined;
  /** The time within which its process had to record the result has passed. */
  isLost: boolean;
}

export async function findMcpCall(db: Queryable, key: Buffer): Promise<RecordedCall | undefined> {
  const { rows } = await db.query<{ result: string | null; is_lost: boolean }>({
    name: 'mcp_calls.find',
    text: 'SELECT result, claimed_until <= now() AS is_lost FROM mcp_calls WHERE call_key = $1',
    values: [key],
  });
  return rows[0] && { result: rows[0].result ?? undefined, isLost: rows[0].is_lost };
}

/** Claims a call that was never made. Returns false when another process has claimed it. */
export async function claimMcpCall(db: Queryable, key: Buffer, claimMs: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'mcp_calls.claim',
    text: `INSERT INTO mcp_calls (call_key, claimed_until) VALUES ($1, now() + $2 * interval '1 millisecond')
           ON CONFLICT (call_key) DO NOTHING`,
    values: [key, claimMs],
  });
  return rowCount === 1;
}

/** Claims a call whose process was lost. Returns false when another process was first. */
export async function reclaimMcpCall(db: Queryable, key: Buffer, claimMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE mcp_calls SET claimed_until = now() + $2 * interval '1 millisecond'
     WHERE call_key = $1 AND result IS NULL AND claimed_until <= now()`,
    [key, claimMs],
  );
  return rowCount === 1;
}

/** Ends the claim of a call without a result: the call is lost. */
export async function abandonMcpCall(db: Queryable, key: Buffer): Promise<void> {
  await db.query('UPDATE mcp_calls SET claimed_until = now() WHERE call_key = $1 AND result IS NULL', [key]);
}

/** Records the result, unless the call has one, and returns the recorded result. */
export async function keepMcpResult(db: Queryable, key: Buffer, result: string): Promise<string> {
  const { rows } = await db.query<{ result: string }>({
    name: 'mcp_calls.keep',
    text: 'UPDATE mcp_calls SET result = coalesce(result, $2) WHERE call_key = $1 RETURNING result',
    values: [key, result],
  });
  return rows[0]?.result ?? result;
}
