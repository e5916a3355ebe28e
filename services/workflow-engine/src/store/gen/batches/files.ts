// Generated from batches/files.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface InsertFileInput {
  fileId: string;
  accountId: string;
  projectId: string;
  customerId: string | null;
  purpose: string;
  filename: string;
  ttlMs: number;
}

const INSERT_FILE = `
  INSERT INTO files (file_id, account_id, project_id, customer_id, purpose, filename, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 ms')`;

export async function insertFile(db: Queryable, input: InsertFileInput): Promise<void> {
  await db.query({
    name: 'insert_file',
    text: INSERT_FILE,
    values: [
      input.fileId,
      input.accountId,
      input.projectId,
      input.customerId,
      input.purpose,
      input.filename,
      input.ttlMs,
    ],
  });
}

export interface AppendPartInput {
  fileId: string;
  projectId: string;
  customerId: string | null;
  part: number;
  body: Uint8Array;
  bytesMax: bigint | number;
}

export interface AppendPartRow {
  customerId: string | null;
}

const APPEND_PART = `
  WITH file AS (
    SELECT file_id, customer_id, parts, bytes
    FROM files
    WHERE file_id = $1 AND project_id = $2 AND ($3::uuid IS NULL OR customer_id = $3)
      AND expires_at > now() AND NOT is_complete AND parts IN ($4, $4 + 1)
    FOR UPDATE
  ),
  stored AS (
    INSERT INTO file_parts (file_id, part, body)
    SELECT file_id, $4, $5 FROM file WHERE parts = $4 AND bytes + octet_length($5::bytea) <= $6::bigint
    RETURNING file_id
  ),
  counted AS (
    UPDATE files SET parts = files.parts + 1, bytes = files.bytes + octet_length($5::bytea)
    FROM stored
    WHERE files.file_id = stored.file_id
  )
  SELECT customer_id AS "customerId" FROM file WHERE EXISTS (SELECT FROM stored) OR parts = $4 + 1`;

/**
 * Stores a part of a file in progress, whose row it locks. Returns whose file it is; undefined when there is no such upload, or
 * the part is not the next or the last one, or the file would be larger than `bytes_max`.
 */
export async function appendPart(db: Queryable, input: AppendPartInput): Promise<AppendPartRow | undefined> {
  const { rows } = await db.query<AppendPartRow>({
    name: 'append_part',
    text: APPEND_PART,
    values: [
      input.fileId,
      input.projectId,
      input.customerId,
      input.part,
      input.body,
      input.bytesMax,
    ],
  });
  return rows[0];
}

export interface DeleteUploadInput {
  fileId: string;
  projectId: string;
  customerId: string | null;
}

const DELETE_UPLOAD = `
  DELETE FROM files
  WHERE file_id = $1 AND project_id = $2 AND ($3::uuid IS NULL OR customer_id = $3)
    AND expires_at > now() AND NOT is_complete`;

/** Deletes an upload that is not complete. */
export async function deleteUpload(db: Queryable, input: DeleteUploadInput): Promise<void> {
  await db.query({
    name: 'delete_upload',
    text: DELETE_UPLOAD,
    values: [
      input.fileId,
      input.projectId,
      input.customerId,
    ],
  });
}

export interface CompleteFileInput {
  purpose: string;
  filename: string;
  ttlMs: number;
  fileId: string;
  projectId: string;
  customerId: string | null;
  parts: number;
}

export interface CompleteFileRow {
  fileId: string;
  customerId: string | null;
  purpose: string;
  filename: string;
  bytes: number;
  parts: number;
  createdAt: Date;
  expiresAt: Date;
}

const COMPLETE_FILE = `
  UPDATE files
  SET is_complete = true, purpose = $1, filename = $2,
    expires_at = CASE WHEN is_complete THEN expires_at ELSE created_at + $3 * interval '1 ms' END
  WHERE file_id = $4 AND project_id = $5 AND ($6::uuid IS NULL OR customer_id = $6)
    AND expires_at > now() AND parts = $7 AND (NOT is_complete OR (purpose = $1 AND filename = $2))
  RETURNING file_id AS "fileId", customer_id AS "customerId", purpose, filename, bytes::float8 AS "bytes", parts,
    created_at AS "createdAt", expires_at AS "expiresAt"`;

/** Ends an upload that has all its parts. Completing it again returns the file again. */
export async function completeFile(db: Queryable, input: CompleteFileInput): Promise<CompleteFileRow | undefined> {
  const { rows } = await db.query<CompleteFileRow>({
    name: 'complete_file',
    text: COMPLETE_FILE,
    values: [
      input.purpose,
      input.filename,
      input.ttlMs,
      input.fileId,
      input.projectId,
      input.customerId,
      input.parts,
    ],
  });
  return rows[0];
}

export interface FindFileInput {
  fileId: string;
  projectId: string;
  customerId: string | null;
}

export interface FindFileRow {
  fileId: string;
  customerId: string | null;
  purpose: string;
  filename: string;
  bytes: number;
  parts: number;
  createdAt: Date;
  expiresAt: Date;
}

const FIND_FILE = `
  SELECT file_id AS "fileId", customer_id AS "customerId", purpose, filename, bytes::float8 AS "bytes", parts,
    created_at AS "createdAt", expires_at AS "expiresAt"
  FROM files
  WHERE file_id = $1 AND project_id = $2 AND ($3::uuid IS NULL OR customer_id = $3)
    AND expires_at > now() AND is_complete`;

export async function findFile(db: Queryable, input: FindFileInput): Promise<FindFileRow | undefined> {
  const { rows } = await db.query<FindFileRow>({
    name: 'find_file',
    text: FIND_FILE,
    values: [
      input.fileId,
      input.projectId,
      input.customerId,
    ],
  });
  return rows[0];
}

export interface ListOldestFilesInput {
  projectId: string;
  customerId: string | null;
  purpose: string;
  after: string | null;
  limit: number;
}

export interface ListOldestFilesRow {
  fileId: string;
  customerId: string | null;
  purpose: string;
  filename: string;
  bytes: number;
  parts: number;
  createdAt: Date;
  expiresAt: Date;
}

const LIST_OLDEST_FILES = `
  SELECT file_id AS "fileId", customer_id AS "customerId", purpose, filename, bytes::float8 AS "bytes", parts,
    created_at AS "createdAt", expires_at AS "expiresAt"
  FROM files
  WHERE project_id = $1 AND ($2::uuid IS NULL OR customer_id = $2) AND expires_at > now()
    AND is_complete AND ($3 = '' OR purpose = $3) AND ($4::uuid IS NULL OR file_id > $4)
  ORDER BY file_id
  LIMIT $5::int`;

/** Lists files by the time of their creation, which their ids start with. */
export async function listOldestFiles(db: Queryable, input: ListOldestFilesInput): Promise<ListOldestFilesRow[]> {
  const { rows } = await db.query<ListOldestFilesRow>({
    name: 'list_oldest_files',
    text: LIST_OLDEST_FILES,
    values: [
      input.projectId,
      input.customerId,
      input.purpose,
      input.after,
      input.limit,
    ],
  });
  return rows;
}

export interface ListNewestFilesInput {
  projectId: string;
  customerId: string | null;
  purpose: string;
  after: string | null;
  limit: number;
}

export interface ListNewestFilesRow {
  fileId: string;
  customerId: string | null;
  purpose: string;
  filename: string;
  bytes: number;
  parts: number;
  createdAt: Date;
  expiresAt: Date;
}

const LIST_NEWEST_FILES = `
  SELECT file_id AS "fileId", customer_id AS "customerId", purpose, filename, bytes::float8 AS "bytes", parts,
    created_at AS "createdAt", expires_at AS "expiresAt"
  FROM files
  WHERE project_id = $1 AND ($2::uuid IS NULL OR customer_id = $2) AND expires_at > now()
    AND is_complete AND ($3 = '' OR purpose = $3) AND ($4::uuid IS NULL OR file_id < $4)
  ORDER BY file_id DESC
  LIMIT $5::int`;

export async function listNewestFiles(db: Queryable, input: ListNewestFilesInput): Promise<ListNewestFilesRow[]> {
  const { rows } = await db.query<ListNewestFilesRow>({
    name: 'list_newest_files',
    text: LIST_NEWEST_FILES,
    values: [
      input.projectId,
      input.customerId,
      input.purpose,
      input.after,
      input.limit,
    ],
  });
  return rows;
}

export interface DeleteFileInput {
  fileId: string;
  projectId: string;
  customerId: string | null;
}

const DELETE_FILE = `
  DELETE FROM files
  WHERE file_id = $1 AND project_id = $2 AND ($3::uuid IS NULL OR customer_id = $3)
    AND expires_at > now() AND is_complete`;

export async function deleteFile(db: Queryable, input: DeleteFileInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'delete_file',
    text: DELETE_FILE,
    values: [
      input.fileId,
      input.projectId,
      input.customerId,
    ],
  });
  return rowCount ?? 0;
}
