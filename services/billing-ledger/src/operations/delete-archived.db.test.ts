import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { archiveJournal, CHUNK_ROWS, readMonths, verifyJournal } from '@tollgate/ledger-audit';
import { ageJournal, bookTransfers, sealAll, tamper } from '@tollgate/ledger-audit/testing';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { journalContext } from '../testing/journal-context.js';
import { deleteOldRows } from './delete-old-rows.js';

const migrations = new URL('../../prisma/migrations', import.meta.url);
let database: TestDatabase;
let ctx: ReturnType<typeof journalContext>;
let folder: string;
let path: string;
/** YYYY-MM of the oldest month. */
let month: string;

beforeEach(async () => {
  database = await testDatabase(import.meta.url, { migrations });
  ctx = journalContext(database, { JOURNAL_DELETE_ARCHIVED: '1' });
  folder = await mkdtemp(join(tmpdir(), 'tollgate-journal-'));
  path = join(folder, 'archive');
  await bookTransfers(database.pool, CHUNK_ROWS + 3);
  await bookTransfers(database.pool, 2, 'top_up');
  await ageJournal(database.pool, 15);
  await bookTransfers(database.pool, 4);
  await sealAll(ctx);
  month = (await readMonths(database.pool))[0]?.month.slice(0, 7) as string;
});
afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function countTransfers(): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM transfers');
  return rows[0]?.n ?? 0;
}

async function deleteAll(): Promise<void> {
  while (await deleteOldRows(ctx));
}

describe('the deletion of archived transfers', () => {
  it('deletes nothing before the archive exists', async () => {
    await deleteAll();
    expect(await countTransfers()).toBe(CHUNK_ROWS + 9);
    await expect(database.pool.query('DELETE FROM transfers')).rejects.toThrow('the journal is append-only');
  });

  it('deletes nothing unless the operator allows it', async () => {
    await archiveJournal(ctx, { month, path });
    ctx = journalContext(database);
    await deleteAll();
    expect(await countTransfers()).toBe(CHUNK_ROWS + 9);
  });

  it('deletes the transfers of requests and keeps payments and the open month', async () => {
    await archiveJournal(ctx, { month, path });
    await deleteAll();
    const { rows } = await database.pool.query('SELECT kind, count(*)::int AS n FROM transfers GROUP BY 1 ORDER BY 1');
    expect(rows).toEqual([
      { kind: 'provider_cost', n: 4 },
      { kind: 'top_up', n: 2 },
    ]);
    expect(await verifyJournal(ctx)).toEqual([]);
    await expect(archiveJournal(ctx, { month, path: `${path}2` })).rejects.toThrow('were deleted');
  });

  it('keeps an archived month whose holds are still kept', async () => {
    await archiveJournal(ctx, { month, path });
    ctx = journalContext(database, { JOURNAL_DELETE_ARCHIVED: '1', HOLD_RETENTION_DAYS: '600' });
    await deleteAll();
    expect(await countTransfers()).toBe(CHUNK_ROWS + 9);
  });

  it('deletes a month only after the months before', async () => {
    const rows = await readMonths(database.pool);
    const second = rows[1]?.month.slice(0, 7) as string;
    await archiveJournal(ctx, { month: second, path });
    await tamper(
      database.pool,
      `UPDATE journal_months SET last_id = last_id + 4 WHERE to_char(month, 'YYYY-MM') >= $1`,
      [second],
    );
    await deleteAll();
    expect(await countTransfers()).toBe(CHUNK_ROWS + 9);
  });
});
