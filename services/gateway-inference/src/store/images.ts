import type { Queryable } from '@tollgate/postgres';
import { insertImageRows } from './gen/images.js';

export interface Image {
  id: string;
  projectId: string;
  /** The customer in whose scope it was created; null = the project itself. */
  customerId: string | null;
  modelId: string;
  mimeType: string;
  /** A caller with this token may read the file. */
  fileToken: string;
  createdAt: Date;
  /** Null = pinned. */
  expiresAt: Date | null;
  /** Time at which the file was deleted. The row stays for a month, so that its URL is answered with GONE, not NOT_FOUND. */
  deletedAt: Date | null;
}

interface Row {
  id: string;
  project_id: string;
  customer_id: string | null;
  model_id: string;
  mime_type: string;
  file_token: string;
  created_at: Date;
  expires_at: Date | null;
  deleted_at: Date | null;
}

const COLUMNS = 'id, project_id, customer_id, model_id, mime_type, file_token, created_at, expires_at';

export async function insertImages(db: Queryable, images: readonly Omit<Image, 'deletedAt'>[]): Promise<void> {
  await insertImageRows(db, { images });
}

export async function findImage(db: Queryable, id: string): Promise<Image | undefined> {
  const { rows } = await db.query<Row>(`SELECT ${COLUMNS}, deleted_at FROM images WHERE id = $1`, [id]);
  return rows[0] && toImage(rows[0]);
}

/** Returns false if the image has expired. */
export async function setImageExpiry(db: Queryable, id: string, expiresAt: Date | null, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE images SET expires_at = $2
     WHERE id = $1 AND deleted_at IS NULL AND (expires_at IS NULL OR expires_at > $3)`,
    [id, expiresAt, now],
  );
  return rowCount === 1;
}

/** Returns expired images. They can no longer be pinned, so their files may be deleted. */
export async function listExpiredImages(db: Queryable, now: Date, limit: number): Promise<string[]> {
  const { rows } = await db.query<Pick<Row, 'id'>>(
    'SELECT id FROM images WHERE expires_at <= $1 AND deleted_at IS NULL ORDER BY expires_at LIMIT $2',
    [now, limit],
  );
  return rows.map(({ id }) => id);
}

export async function markImageDeleted(db: Queryable, id: string, now: Date): Promise<void> {
  await db.query('UPDATE images SET deleted_at = $2 WHERE id = $1', [id, now]);
}

/** Deletes the rows of the images whose files were deleted first. Returns how many. */
export async function forgetDeletedImages(db: Queryable, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM images WHERE id = ANY (ARRAY(
       SELECT id FROM images WHERE deleted_at < $1 ORDER BY deleted_at LIMIT $2))`,
    [before, limit],
  );
  return rowCount ?? 0;
}

function toImage(row: Row): Image {
  return {
    id: row.id,
    projectId: row.project_id,
    customerId: row.customer_id,
    modelId: row.model_id,
    mimeType: row.mime_type,
    fileToken: row.file_token,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    deletedAt: row.deleted_at,
  };
}
