// Generated from connections/connections.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface InsertConnectionInput {
  id: string;
  projectId: string;
  name: string;
  mode: string;
  entry: string;
  models: string;
  secretKeyId: string;
  secretSealed: Uint8Array;
  now: Date;
  max: number;
}

const INSERT_CONNECTION = `
  INSERT INTO connections (id, project_id, name, mode, entry, models, secret_key_id, secret_sealed, created_at, updated_at)
  SELECT $1::uuid, $2::uuid, $3::text, $4::text, $5::text::jsonb, $6::text::jsonb,
    $7::text, $8::bytea, $9::timestamptz, $9
  WHERE (SELECT count(*) FROM connections WHERE project_id = $2) < $10::int`;

/** Inserts a connection unless the project has `max`. The caller has locked the project's connections. */
export async function insertConnection(db: Queryable, input: InsertConnectionInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'insert_connection',
    text: INSERT_CONNECTION,
    values: [
      input.id,
      input.projectId,
      input.name,
      input.mode,
      input.entry,
      input.models,
      input.secretKeyId,
      input.secretSealed,
      input.now,
      input.max,
    ],
  });
  return rowCount ?? 0;
}

export interface UpdateConnectionInput {
  name: string;
  mode: string;
  entry: string;
  models: string;
  secretKeyId: string;
  secretSealed: Uint8Array;
  now: Date;
  id: string;
  projectId: string;
  version: number;
}

const UPDATE_CONNECTION = `
  UPDATE connections
  SET name = $1, mode = $2, entry = $3::text::jsonb, models = $4::text::jsonb, secret_key_id = $5,
    secret_sealed = $6, updated_at = $7, version = version + 1
  WHERE id = $8 AND project_id = $9 AND version = $10`;

/** Replaces the settings of the version that they were made from. */
export async function updateConnection(db: Queryable, input: UpdateConnectionInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'update_connection',
    text: UPDATE_CONNECTION,
    values: [
      input.name,
      input.mode,
      input.entry,
      input.models,
      input.secretKeyId,
      input.secretSealed,
      input.now,
      input.id,
      input.projectId,
      input.version,
    ],
  });
  return rowCount ?? 0;
}
