import { lockUntilCommit, type Queryable, type Tx } from '@tollgate/postgres';
import type { SealedSecret } from '@tollgate/runtime/secret-box';
import { isUuid } from '@tollgate/runtime/uuid';
import type { ConnectedModel, ConnectionMode, ConnectionSettings } from '../../domain/connections/connection.js';
import { insertConnection as insertRow, updateConnection as updateRow } from '../gen/connections/connections.js';

/** A stored connection. */
export interface ProjectConnection extends ConnectionSettings {
  id: string;
  projectId: string;
  secrets: SealedSecret;
  /** Incremented by each update. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

interface Row {
  id: string;
  project_id: string;
  name: string;
  mode: ConnectionMode;
  entry: object;
  models: { model_id: string; upstream_model: string }[];
  secret_key_id: string;
  secret_sealed: Buffer;
  version: number;
  created_at: Date;
  updated_at: Date;
}

const SELECT = `SELECT id, project_id, name, mode, entry, models, secret_key_id, secret_sealed, version, created_at, updated_at
  FROM connections`;

/** Returns false, and inserts nothing, if the project has `max` connections. */
export async function insertConnection(tx: Tx, connection: ProjectConnection, max: number): Promise<boolean> {
  // The count is a later statement: it must see the rows of the last holder of the lock.
  await lockUntilCommit(tx, `connections ${connection.projectId}`);
  const { createdAt: now, ...rest } = connection;
  return (await insertRow(tx, { ...rest, ...toColumns(rest), now, max })) === 1;
}

/** Returns false if the connection has another version, or was deleted. */
export async function updateConnection(db: Queryable, connection: ProjectConnection): Promise<boolean> {
  const { updatedAt: now, ...rest } = connection;
  return (await updateRow(db, { ...rest, ...toColumns(rest), now })) === 1;
}

function toColumns({ entryJson, models, secrets }: Pick<ProjectConnection, 'entryJson' | 'models' | 'secrets'>) {
  const rows = models.map(({ modelId, upstreamModel }) => ({ model_id: modelId, upstream_model: upstreamModel }));
  return { entry: entryJson, models: JSON.stringify(rows), secretKeyId: secrets.keyId, secretSealed: secrets.bytes };
}

export async function findConnection(
  db: Queryable,
  projectId: string,
  id: string,
): Promise<ProjectConnection | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await db.query<Row>(`${SELECT} WHERE id = $1 AND project_id = $2`, [id, projectId]);
  return rows[0] && toConnection(rows[0]);
}

/** Returns connections of a project, oldest first. */
export async function selectConnections(
  db: Queryable,
  projectId: string,
  page: { limit: number; offset: number },
): Promise<ProjectConnection[]> {
  const { rows } = await db.query<Row>(`${SELECT} WHERE project_id = $1 ORDER BY created_at, id LIMIT $2 OFFSET $3`, [
    projectId,
    page.limit,
    page.offset,
  ]);
  return rows.map(toConnection);
}

/** Returns the modes and models of a project's connections. */
export async function readConnectedModels(
  db: Queryable,
  projectId: string,
  max: number,
): Promise<{ mode: ConnectionMode; models: ConnectedModel[] }[]> {
  const { rows } = await db.query<Pick<Row, 'mode' | 'models'>>({
    name: 'connections.models',
    text: 'SELECT mode, models FROM connections WHERE project_id = $1 LIMIT $2',
    values: [projectId, max],
  });
  return rows.map(({ mode, models }) => ({ mode, models: toModels(models) }));
}

/** Returns false if the project has no such connection. */
export async function deleteConnection(db: Queryable, projectId: string, id: string): Promise<boolean> {
  if (!isUuid(id)) return false;
  const { rowCount } = await db.query('DELETE FROM connections WHERE id = $1 AND project_id = $2', [id, projectId]);
  return rowCount === 1;
}

export async function deleteConnectionsOfProject(db: Queryable, projectId: string): Promise<void> {
  await db.query('DELETE FROM connections WHERE project_id = $1', [projectId]);
}

/** Returns connections whose secrets the current key has not sealed. */
export async function selectSealedByOther(db: Queryable, keyId: string, limit: number): Promise<ProjectConnection[]> {
  const { rows } = await db.query<Row>(`${SELECT} WHERE secret_key_id <> $1 ORDER BY id LIMIT $2`, [keyId, limit]);
  return rows.map(toConnection);
}

/** Replaces the sealed form of secrets unless they have changed since they were read. */
export async function replaceSealed(
  db: Queryable,
  { id, secrets }: ProjectConnection,
  after: SealedSecret,
): Promise<void> {
  await db.query('UPDATE connections SET secret_key_id = $3, secret_sealed = $4 WHERE id = $1 AND secret_sealed = $2', [
    id,
    secrets.bytes,
    after.keyId,
    after.bytes,
  ]);
}

function toConnection(row: Row): ProjectConnection {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    mode: row.mode,
    entryJson: JSON.stringify(row.entry),
    models: toModels(row.models),
    secrets: { keyId: row.secret_key_id, bytes: row.secret_sealed },
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function toModels(models: Row['models']): ConnectedModel[] {
  return models.map((model) => ({ modelId: model.model_id, upstreamModel: model.upstream_model }));
}
