import type { Queryable, Tx } from '@tollgate/postgres';

/** The files and batches that a caller may see. `customerId` is set for a customer's token. */
export interface Owner {
  projectId: string;
  customerId: string | undefined;
}

export interface NewFile {
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

interface FileRow {
  file_id: string;
  customer_id: string | null;
  purpose: string;
  filename: string;
  bytes: string;
  parts: number;
  created_at: Date;
  expires_at: Date;
}

const COLUMNS = 'file_id, customer_id, purpose, filename, bytes::text, parts, created_at, expires_at';
/** `$1` and `$2`: project, and the customer whose files alone are visible. */
const VISIBLE = 'project_id = $1 AND ($2::uuid IS NULL OR customer_id = $2) AND expires_at > now()';

export async function insertFile(db: Queryable, file: NewFile): Promise<void> {
  await db.query({
    name: 'files.insert',
    text: `
      INSERT INTO files (file_id, account_id, project_id, customer_id, purpose, filename, expires_at)
      VALUES ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 ms')`,
    values: [file.fileId, file.accountId, file.projectId, file.customerId, file.purpose, file.filename, file.ttlMs],
  });
}

/**
 * Stores a part of a file in progress, whose row it locks. Returns whose file it is; undefined when there is no such upload, or
 * the part is not the next or the last one, or the file would be larger than `bytesMax`.
 */
export async function appendPart(
  db: Queryable,
  owner: Owner,
  { fileId, part, body }: { fileId: string; part: number; body: Uint8Array },
  bytesMax: number,
): Promise<{ customerId: string | null } | undefined> {
  const result = await db.query<{ customer_id: string | null }>({
    name: 'files.append',
    text: `
      WITH file AS (
        SELECT file_id, customer_id, parts, bytes FROM files
        WHERE file_id = $3 AND ${VISIBLE} AND NOT is_complete AND parts IN ($4, $4 + 1) FOR UPDATE
      ), stored AS (
        INSERT INTO file_parts (file_id, part, body)
        SELECT file_id, $4, $5 FROM file WHERE parts = $4 AND bytes + octet_length($5::bytea) <= $6::bigint RETURNING file_id
      ), counted AS (
        UPDATE files SET parts = files.parts + 1, bytes = files.bytes + octet_length($5::bytea)
        FROM stored WHERE files.file_id = stored.file_id
      )
      SELECT customer_id FROM file WHERE EXISTS (SELECT FROM stored) OR parts = $4 + 1`,
    values: [owner.projectId, owner.customerId ?? null, fileId, part, body, bytesMax],
  });
  const file = result.rows[0];
  return file && { customerId: file.customer_id };
}

/** Deletes an upload that is not complete. */
export async function deleteUpload(db: Queryable, owner: Owner, fileId: string): Promise<void> {
  await db.query({
    name: 'files.delete_upload',
    text: `DELETE FROM files WHERE file_id = $3 AND ${VISIBLE} AND NOT is_complete`,
    values: [owner.projectId, owner.customerId ?? null, fileId],
  });
}

/** Ends an upload that has all its parts. Completing it again returns the file again. */
export async function completeFile(
  db: Queryable,
  owner: Owner,
  file: { fileId: string; purpose: string; filename: string; parts: number; ttlMs: number },
): Promise<StoredFile | undefined> {
  const result = await db.query<FileRow>({
    name: 'files.complete',
    text: `
      UPDATE files
      SET is_complete = true, purpose = $4, filename = $5,
          expires_at = CASE WHEN is_complete THEN expires_at ELSE created_at + $7 * interval '1 ms' END
      WHERE file_id = $3 AND ${VISIBLE} AND parts = $6 AND (NOT is_complete OR (purpose = $4 AND filename = $5))
      RETURNING ${COLUMNS}`,
    values: [
      owner.projectId,
      owner.customerId ?? null,
      file.fileId,
      file.purpose,
      file.filename,
      file.parts,
      file.ttlMs,
    ],
  });
  return result.rows[0] && toFile(result.rows[0]);
}

export async function findFile(db: Queryable, owner: Owner, fileId: string): Promise<StoredFile | undefined> {
  const result = await db.query<FileRow>({
    name: 'files.find',
    text: `SELECT ${COLUMNS} FROM files WHERE file_id = $3 AND ${VISIBLE} AND is_complete`,
    values: [owner.projectId, owner.customerId ?? null, fileId],
  });
  return result.rows[0] && toFile(result.rows[0]);
}

export interface FilePage {
  purpose: string;
  limit: number;
  /** UUID of the last file of the page before. */
  after: string | undefined;
  isAscending: boolean;
}

/** Lists files by the time of their creation, which their ids start with. */
export async function listFiles(db: Queryable, owner: Owner, page: FilePage): Promise<StoredFile[]> {
  const [sign, order] = page.isAscending ? ['>', 'ASC'] : ['<', 'DESC'];
  const result = await db.query<FileRow>({
    name: `files.list_${order.toLowerCase()}`,
    text: `SELECT ${COLUMNS} FROM files
           WHERE ${VISIBLE} AND is_complete AND ($3 = '' OR purpose = $3) AND ($4::uuid IS NULL OR file_id ${sign} $4)
           ORDER BY file_id ${order} LIMIT $5`,
    values: [owner.projectId, owner.customerId ?? null, page.purpose, page.after ?? null, page.limit],
  });
  return result.rows.map(toFile);
}

export async function deleteFile(db: Queryable, owner: Owner, fileId: string): Promise<boolean> {
  const result = await db.query({
    name: 'files.delete',
    text: `DELETE FROM files WHERE file_id = $3 AND ${VISIBLE} AND is_complete`,
    values: [owner.projectId, owner.customerId ?? null, fileId],
  });
  return result.rowCount === 1;
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
  await insertFile(tx, file);
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

function toFile(row: FileRow): StoredFile {
  return {
    fileId: row.file_id,
    customerId: row.customer_id,
    purpose: row.purpose,
    filename: row.filename,
    bytes: Number(row.bytes),
    parts: row.parts,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
