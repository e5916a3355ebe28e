import type { Queryable, Tx } from '@tollgate/postgres';
import * as sql from '../gen/batches/files.js';

export { insertFile } from '../gen/batches/files.js';

/** The files and batches that a caller may see. `customerId` is set for a customer's token. */
export interface Owner {
  projectId: string;
  customerId: string | undefined;
}

interface NewFile {
  fileId: string;
  accountId: string;
  projectId: string;
  customerId: string | null;
  purpose: 'batch' | 'batch_output';
  filename: string;
  ttlMs: number;
}

export interface StoredFile {
  fileId: string;
  customerId: string | null;
  purpose: string;
  filename: string;
  bytes: number;
  parts: number;
  createdAt: Date;
  expiresAt: Date;
}

/**
 * Stores a part of a file in progress, whose row it locks. Returns whose file it is; undefined when there is no such upload, or
 * the part is not the next or the last one, or the file would be larger than `bytesMax`.
 */
export async function appendPart(
  db: Queryable,
  owner: Owner,
  part: { fileId: string; part: number; body: Uint8Array },
  bytesMax: number,
): Promise<{ customerId: string | null } | undefined> {
  return sql.appendPart(db, { ...toOwnerInput(owner), ...part, bytesMax });
}

/** Deletes an upload that is not complete. */
export async function deleteUpload(db: Queryable, owner: Owner, fileId: string): Promise<void> {
  await sql.deleteUpload(db, { ...toOwnerInput(owner), fileId });
}

/** Ends an upload that has all its parts. Completing it again returns the file again. */
export async function completeFile(
  db: Queryable,
  owner: Owner,
  file: { fileId: string; purpose: string; filename: string; parts: number; ttlMs: number },
): Promise<StoredFile | undefined> {
  return sql.completeFile(db, { ...toOwnerInput(owner), ...file });
}

export async function findFile(db: Queryable, owner: Owner, fileId: string): Promise<StoredFile | undefined> {
  return sql.findFile(db, { ...toOwnerInput(owner), fileId });
}

interface FilePage {
  purpose: string;
  limit: number;
  /** UUID of the last file of the page before. */
  after: string | undefined;
  isAscending: boolean;
}

/** Lists files by the time of their creation, which their ids start with. */
export async function listFiles(db: Queryable, owner: Owner, page: FilePage): Promise<StoredFile[]> {
  const list = page.isAscending ? sql.listOldestFiles : sql.listNewestFiles;
  return list(db, { ...toOwnerInput(owner), ...page, after: page.after ?? null });
}

export async function deleteFile(db: Queryable, owner: Owner, fileId: string): Promise<boolean> {
  return (await sql.deleteFile(db, { ...toOwnerInput(owner), fileId })) === 1;
}

/** Reads one part of a file; undefined after the last one. */
export async function readPart(db: Queryable, fileId: string, part: number): Promise<Buffer | undefined> {
  const result = await db.query<{ body: Buffer }>({
    name: 'file_parts.read',
    text: 'SELECT body FROM file_parts WHERE file_id = $1 AND part = $2',
    values: [fileId, part],
  });
  return result.rows[0]?.body;
}

/** Stores a whole file that a batch has written, of any size: its answers are paid. Its parts come in order. */
export async function writeFile(tx: Tx, file: NewFile, parts: AsyncIterable<Buffer>): Promise<void> {
  await sql.insertFile(tx, file);
  let part = 0;
  let bytes = 0;
  for await (const body of parts) {
    await tx.query({
      name: 'file_parts.insert',
      text: 'INSERT INTO file_parts (file_id, part, body) VALUES ($1, $2, $3)',
      values: [file.fileId, part, body],
    });
    part += 1;
    bytes += body.length;
  }
  await tx.query({
    name: 'files.written',
    text: 'UPDATE files SET is_complete = true, parts = $2, bytes = $3 WHERE file_id = $1',
    values: [file.fileId, part, bytes],
  });
}

/** Deletes expired files and abandoned uploads. Returns the number of files. */
export async function purgeFiles(db: Queryable, limit: number): Promise<number> {
  const result = await db.query({
    name: 'files.purge',
    text: `DELETE FROM files WHERE file_id = ANY (ARRAY(
             SELECT file_id FROM files WHERE expires_at < now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED))`,
    values: [limit],
  });
  return result.rowCount ?? 0;
}

export function toOwnerInput({ projectId, customerId }: Owner): { projectId: string; customerId: string | null } {
  return { projectId, customerId: customerId ?? null };
}

/** The files of a project or a customer. Uploads in progress count with the parts that they have stored. */
export interface FileTotals {
  files: number;
  bytes: number;
}

/** Returns what the project stores, and what one customer of it does: zero without one. */
export async function readFileTotals(
  tx: Tx,
  projectId: string,
  customerId: string | null,
): Promise<{ project: FileTotals; customer: FileTotals }> {
  const result = await tx.query<Record<'files' | 'bytes' | 'customer_files' | 'customer_bytes', number>>({
    name: 'files.totals',
    text: `
      SELECT count(*)::int AS files, coalesce(sum(bytes), 0)::float8 AS bytes,
             count(*) FILTER (WHERE customer_id = $2)::int AS customer_files,
             coalesce(sum(bytes) FILTER (WHERE customer_id = $2), 0)::float8 AS customer_bytes
      FROM files WHERE project_id = $1`,
    values: [projectId, customerId],
  });
  const row = result.rows[0]!;
  return {
    project: { files: row.files, bytes: row.bytes },
    customer: { files: row.customer_files, bytes: row.customer_bytes },
  };
}
