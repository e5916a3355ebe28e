import type { Queryable, Tx } from '@tollgate/postgres';
import { CHUNK_ROWS } from '../journal-seal.js';
import * as sql from './gen/chunks.js';

/** A transfer as it is hashed and archived. Text values, so that no reader rounds them. */
export const TRANSFER_LINE = `json_build_array(t.id::text, t.debit_account::text, t.credit_account::text, t.amount::text, t.kind,
  t.cause, t.cause_ref, to_char(t.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text`;
const BALANCE_LINE = `json_build_array(s.account_id::text, s.credits::text, s.debits::text, s.total_credits::text, s.total_debits::text)::text`;

/** The rows of a chunk, in their order. `position` is the last one's id; null if the chunk is empty. */
export interface Chunk {
  rows: number;
  position: bigint | null;
  lines: string[];
}

export async function readTransfers(db: Queryable, after: bigint, lastId: bigint): Promise<Chunk> {
  return readChunk(
    db,
    `SELECT t.id, ${TRANSFER_LINE} AS line FROM transfers t WHERE t.id > $1 AND t.id <= $2 ORDER BY t.id LIMIT ${CHUNK_ROWS}`,
    [after, lastId],
  );
}

export async function readBalances(db: Queryable, month: string, after: bigint): Promise<Chunk> {
  return readChunk(
    db,
    `SELECT s.account_id AS id, ${BALANCE_LINE} AS line FROM sealed_balances s
     WHERE s.month = $1 AND s.account_id > $2 ORDER BY s.account_id LIMIT ${CHUNK_ROWS}`,
    [month, after],
  );
}

async function readChunk(db: Queryable, sql: string, values: unknown[]): Promise<Chunk> {
  const { rows } = await db.query<{ id: bigint; line: string }>(sql, values);
  return { rows: rows.length, position: rows.at(-1)?.id ?? null, lines: rows.map(({ line }) => line) };
}

/** Adds the transfers of a chunk to the month's balances. The caller has locked the month. */
export async function addToBalances(tx: Tx, month: string, after: bigint, last: bigint): Promise<void> {
  await sql.addToBalances(tx, { month, after, last });
}

/** Stores the hash over the chunk. The next chunk follows it; the balances follow the last one. */
export async function advanceTransfers(
  tx: Tx,
  month: string,
  chunk: { rows: number; position: bigint | null; hash: string; isLast: boolean },
): Promise<void> {
  await sql.advanceTransfers(tx, { month, ...chunk });
}

export async function advanceBalances(
  tx: Tx,
  month: string,
  chunk: { rows: number; position: bigint | null; hash: string },
): Promise<void> {
  await tx.query(
    `UPDATE journal_months SET balances = balances + $2, balances_hash = decode($3, 'hex'), position = coalesce($4::bigint, position)
     WHERE month = $1`,
    [month, chunk.rows, chunk.hash, chunk.position],
  );
}

export async function setSealed(tx: Tx, month: string, seal: string): Promise<void> {
  await tx.query(
    `UPDATE journal_months SET state = 'sealed', seal = decode($2, 'hex'), sealed_at = now() WHERE month = $1`,
    [month, seal],
  );
}
