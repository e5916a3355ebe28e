import { CHUNK_ROWS, chainHash, computeSeal, type SealedMonth } from './journal-seal.js';

export const ARCHIVE_FORMAT = 'tollgate-journal-1';

/** The first line of an archive. The month's transfers follow, then its balances, one JSON array per line. */
export interface ArchiveHead extends SealedMonth {
  format: typeof ARCHIVE_FORMAT;
  seal: string;
  rowsPerChunk: number;
}

export function archiveHead(month: SealedMonth, seal: string): ArchiveHead {
  return { format: ARCHIVE_FORMAT, ...month, seal, rowsPerChunk: CHUNK_ROWS };
}

export interface ArchiveVerdict {
  month: string;
  seal: string;
  /** Empty if the archive is what was sealed. */
  problems: string[];
}

/**
 * Compares an archive with its own seal, without a database. To check that it is the right seal, compare it with a copy
 * that was kept elsewhere, or with `previousSeal` in the archive of the next month.
 */
export async function verifyArchive(lines: AsyncIterable<string>): Promise<ArchiveVerdict> {
  const reader = lines[Symbol.asyncIterator]();
  const head = parseHead((await reader.next()).value);
  if (!head)
    return { month: '', seal: '', problems: [`the first line is not the head of a ${ARCHIVE_FORMAT} archive`] };
  const problems: string[] = [];
  const transfers = await readSection(reader, BigInt(head.transfers), head.rowsPerChunk, (row) => [row[3], row[3]]);
  const balances = await readSection(reader, BigInt(head.balances), head.rowsPerChunk, (row) => [row[1], row[2]]);
  if ((await reader.next()).done !== true) problems.push('lines follow the last balance');
  if (transfers.hash !== head.transfersHash) problems.push('the transfers are not those that were sealed');
  if (balances.hash !== head.balancesHash) problems.push('the balances are not those that were sealed');
  const isEven = transfers.credits === balances.credits && transfers.debits === balances.debits;
  if (!isEven) problems.push('the sums of transfers and balances differ');
  if (computeSeal(head) !== head.seal) problems.push('the seal is not that of the first line');
  return { month: head.month, seal: head.seal, problems };
}

interface Section {
  hash: string;
  credits: bigint;
  debits: bigint;
}

type Sides = [string | null | undefined, string | null | undefined];

async function readSection(
  reader: AsyncIterator<string>,
  count: bigint,
  rowsPerChunk: number,
  sides: (row: (string | null)[]) => Sides,
): Promise<Section> {
  const section: Section = { hash: '', credits: 0n, debits: 0n };
  let chunk: string[] = [];
  for (let read = 0n; read < count; read++) {
    const { value, done } = await reader.next();
    const row = done === true ? undefined : parseRow(value);
    if (!row) return { ...section, hash: 'unreadable' };
    const [credit, debit] = sides(row);
    section.credits += BigInt(credit ?? 0);
    section.debits += BigInt(debit ?? 0);
    chunk.push(value);
    if (chunk.length === rowsPerChunk) {
      section.hash = chainHash(section.hash, chunk);
      chunk = [];
    }
  }
  return { ...section, hash: chainHash(section.hash, chunk) };
}

function parseHead(line: string | undefined): ArchiveHead | undefined {
  const head = parseJson(line) as ArchiveHead | undefined;
  const isHead = head?.format === ARCHIVE_FORMAT && [head.transfers, head.balances].every((n) => /^\d{1,19}$/.test(n));
  return isHead && Number.isSafeInteger(head.rowsPerChunk) && head.rowsPerChunk > 0 ? head : undefined;
}

/** Returns undefined for a line that is not an array of texts, or whose second to fourth value is not a number. */
function parseRow(line: string): (string | null)[] | undefined {
  const row = parseJson(line);
  if (!Array.isArray(row) || row.length < 5) return undefined;
  return row.slice(1, 4).every((value) => typeof value === 'string' && /^\d{1,40}$/.test(value)) ? row : undefined;
}

function parseJson(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? '') ?? undefined;
  } catch {
    return undefined;
  }
}
