import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { silentLogger } from '@tollgate/runtime';
import { archiveJournal, verifyArchiveFile } from './archive-journal.js';
import { CHUNK_ROWS } from './journal-seal.js';
import type { SealContext } from './seal-journal.js';
import { readMonths } from './store/months.js';
import { ageJournal, bookTransfers, LEDGER_MIGRATIONS, sealAll, tamper } from './testing/index.js';

let database: TestDatabase;
let ctx: SealContext;
let folder: string;
let path: string;
/** YYYY-MM of the oldest month. */
let month: string;

beforeEach(async () => {
  database = await testDatabase(import.meta.url, { migrations: LEDGER_MIGRATIONS });
  ctx = { pool: database.pool, logger: silentLogger, closingLagMs: 1 };
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

describe('an archive', () => {
  it('contains the month and verifies against its seal without the database', async () => {
    const seal = await archiveJournal(ctx, { month, path });
    expect(await verifyArchiveFile(path)).toEqual({ month: `${month}-01`, seal, problems: [] });
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(1 + CHUNK_ROWS + 3 + 2 + 6);
    expect((await readMonths(database.pool))[0]).toMatchObject({ seal, archived_at: expect.any(Date) });
  });

  it.each([
    ['a changed transfer', (lines: string[]) => lines.with(7, (lines[7] as string).replace('"6"', '"7"'))],
    ['a missing transfer', (lines: string[]) => lines.toSpliced(7, 1)],
    ['a changed balance', (lines: string[]) => lines.with(-2, (lines.at(-2) as string).replace('1', '2'))],
    ['an additional line', (lines: string[]) => lines.concat('[]')],
    [
      'another head',
      (lines: string[]) => lines.with(0, (lines[0] as string).replace('"transfers":"', '"transfers":"0')),
    ],
    ['no head', (lines: string[]) => lines.slice(1)],
    ['nothing', () => []],
  ])('fails verification with %s', async (_, change: (lines: string[]) => string[]) => {
    await archiveJournal(ctx, { month, path });
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    await writeFile(path, change(lines).join('\n'));
    expect((await verifyArchiveFile(path)).problems).not.toEqual([]);
  });

  it('fails if the file exists', async () => {
    await writeFile(path, 'something');
    await expect(archiveJournal(ctx, { month, path })).rejects.toThrow('EEXIST');
  });

  it('refuses a month that is not sealed, and text that is not a month', async () => {
    await expect(archiveJournal(ctx, { month: '1999-12', path })).rejects.toThrow('the month 1999-12 is not sealed');
    await expect(archiveJournal(ctx, { month: '2026-13', path })).rejects.toThrow('must have the form YYYY-MM');
  });

  it('does not count if the month was changed after it was sealed', async () => {
    await tamper(database.pool, 'UPDATE transfers SET amount = amount + 1 WHERE id = (SELECT min(id) FROM transfers)');
    await expect(archiveJournal(ctx, { month, path })).rejects.toThrow('does not have its seal');
    expect((await readMonths(database.pool))[0]).toMatchObject({ archived_at: null });
  });
});
