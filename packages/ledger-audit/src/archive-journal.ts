import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Queryable } from '@tollgate/postgres';
import { type ArchiveVerdict, archiveHead, verifyArchive } from './journal-archive.js';
import { toSealedMonth } from './sealed-month.js';
import { type Chunk, readBalances, readTransfers } from './store/chunks.js';
import { findMonth, type JournalMonth, setArchived } from './store/months.js';

/**
 * Writes a sealed month to a new file, reads the file again, and marks the month as archived if the file has its seal.
 * Returns the seal. @throws Error for a month that is not sealed, has deleted transfers, or does not have its seal
 */
export async function archiveJournal(
  { pool }: { pool: Queryable },
  { month, path }: { month: string; path: string },
): Promise<string> {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw new Error('the month must have the form YYYY-MM');
  const row = await findMonth(pool, `${month}-01`);
  if (row?.seal == null) throw new Error(`the month ${month} is not sealed`);
  if (row.deleted_to !== null) throw new Error(`transfers of ${month} were deleted; only its archive has them`);
  const file = await open(path, 'wx');
  try {
    await writeArchive(file, pool, row, row.seal);
    await file.sync();
  } finally {
    await file.close();
  }
  const { problems } = await verifyArchiveFile(path);
  if (problems.length > 0) throw new Error(`the month ${month} does not have its seal: ${problems.join('; ')}`);
  await setArchived(pool, row.month);
  return row.seal;
}

export function verifyArchiveFile(path: string): Promise<ArchiveVerdict> {
  return verifyArchive(createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY }));
}

async function writeArchive(file: FileHandle, pool: Queryable, month: JournalMonth, seal: string): Promise<void> {
  await writeLines(file, [JSON.stringify(archiveHead(toSealedMonth(month), seal))]);
  await writeChunks(file, (after) => readTransfers(pool, after, month.last_id), month.after_id);
  await writeChunks(file, (after) => readBalances(pool, month.month, after), 0n);
}

async function writeChunks(file: FileHandle, read: (after: bigint) => Promise<Chunk>, first: bigint): Promise<void> {
  for (let after: bigint | null = first; after !== null; ) {
    const { position, lines }: Chunk = await read(after);
    await writeLines(file, lines);
    after = position;
  }
}

async function writeLines(file: FileHandle, lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await file.appendFile(`${lines.join('\n')}\n`);
}
