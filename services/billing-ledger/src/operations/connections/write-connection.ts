import { randomBytes, randomUUID } from 'node:crypto';
import { isPriced } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';
import { hasCode, UNIQUE_VIOLATION, withTransaction } from '@tollgate/postgres';
import { IV_BYTES, openSecret, type SealedSecret, sealSecret } from '@tollgate/runtime/secret-box';
import type { Context } from '../../context.js';
import {
  CONNECTIONS_PER_PROJECT_MAX,
  type ConnectionMode,
  type ConnectionSettings,
  checkConnection,
  mergeSecrets,
} from '../../domain/connections/connection.js';
import {
  deleteConnection as deleteRow,
  findConnection,
  insertConnection,
  type ProjectConnection,
  selectConnections,
  updateConnection as updateRow,
} from '../../store/connections/connections.js';

type WriteContext = Pick<Context, 'catalog' | 'clock' | 'keyring' | 'pool' | 'subjects'>;

/** Settings as a caller sends them, with the JSON of the secrets. */
export type WrittenConnection = Omit<ConnectionSettings, 'mode'> & {
  mode: ConnectionMode | undefined;
  secretsJson: string;
};

export async function createConnection(
  ctx: WriteContext,
  projectId: string,
  written: WrittenConnection,
): Promise<ProjectConnection> {
  const settings = check(ctx, written);
  const id = randomUUID();
  const now = ctx.clock.now();
  const secrets = seal(ctx, mergeSecrets('', written.secretsJson), id);
  const connection = { ...settings, id, projectId, secrets, version: 1, createdAt: now, updatedAt: now };
  const isInserted = await withTransaction(ctx.pool, (tx) =>
    insertConnection(tx, connection, CONNECTIONS_PER_PROJECT_MAX),
  ).catch(rethrow);
  if (!isInserted)
    throw new AppError('INVALID_INPUT', `a project can have at most ${CONNECTIONS_PER_PROJECT_MAX} connections`);
  ctx.subjects.dropProject(projectId);
  return connection;
}

/** Replaces the settings, and the secrets that are given. @throws AppError CONFLICT if another update came first */
export async function updateConnection(
  ctx: WriteContext,
  projectId: string,
  { id, version }: { id: string; version: number },
  written: WrittenConnection,
): Promise<ProjectConnection> {
  const before = await requireConnection(ctx, projectId, id);
  const settings = check(ctx, written);
  const secrets =
    written.secretsJson === ''
      ? before.secrets
      : seal(ctx, mergeSecrets(readSecrets(ctx, before), written.secretsJson), before.id);
  const after = { ...before, ...settings, secrets, version, updatedAt: ctx.clock.now() };
  if (!(await updateRow(ctx.pool, after).catch(rethrow)))
    throw new AppError('CONFLICT', 'the connection has changed in the meantime; read it again');
  ctx.subjects.dropProject(projectId);
  return { ...after, version: version + 1 };
}

export async function deleteConnection(ctx: WriteContext, projectId: string, id: string): Promise<void> {
  if (!(await deleteRow(ctx.pool, projectId, id))) throw notFound();
  ctx.subjects.dropProject(projectId);
}

/** @throws AppError NOT_FOUND, including for a connection of another project */
export async function requireConnection(
  ctx: Pick<Context, 'pool'>,
  projectId: string,
  id: string,
): Promise<ProjectConnection> {
  const connection = await findConnection(ctx.pool, projectId, id);
  if (!connection) throw notFound();
  return connection;
}

/** Returns all connections of a project with the JSON of their secrets. */
export async function openConnections(
  ctx: Pick<Context, 'keyring' | 'pool'>,
  projectId: string,
): Promise<{ connection: ProjectConnection; secretsJson: string }[]> {
  const all = await selectConnections(ctx.pool, projectId, { limit: CONNECTIONS_PER_PROJECT_MAX, offset: 0 });
  return all.map((connection) => ({ connection, secretsJson: readSecrets(ctx, connection) }));
}

function check({ catalog }: WriteContext, { secretsJson: _, ...settings }: WrittenConnection): ConnectionSettings {
  return checkConnection(settings, (name) => {
    const model = catalog.find(name);
    return model && isPriced(model, 'text') ? model.model_id : undefined;
  });
}

function readSecrets(ctx: Pick<Context, 'keyring'>, { id, secrets }: ProjectConnection): string {
  return openSecret(requireKeyring(ctx), secrets, id);
}

function seal(ctx: Pick<Context, 'keyring'>, secretsJson: string, id: string): SealedSecret {
  return sealSecret(requireKeyring(ctx), secretsJson, id, randomBytes(IV_BYTES));
}

function requireKeyring({ keyring }: Pick<Context, 'keyring'>): NonNullable<Context['keyring']> {
  if (keyring) return keyring;
  const message = 'connections of projects need SECRETS_ENCRYPTION_KEY at billing-ledger; ask the operator to set it';
  throw new AppError('SERVICE_UNAVAILABLE', message, { retryable: false });
}

function notFound(): AppError {
  return new AppError('NOT_FOUND', 'connection not found');
}

function rethrow(error: unknown): never {
  if (hasCode(error, UNIQUE_VIOLATION)) throw new AppError('CONFLICT', 'a connection with this name exists');
  throw error;
}
