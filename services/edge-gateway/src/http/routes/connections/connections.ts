import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  connectionResponse,
  type connectionSchema,
  createConnectionBody,
  listConnectionsQuery,
  listConnectionsResponse,
  testConnectionResponse,
  updateConnectionBody,
} from '@tollgate/api/connections';
import { nextCursor } from '@tollgate/api/values';
import { bareModelId, type Catalog, isPriced } from '@tollgate/catalog';
import type { Connection } from '@tollgate/contracts/billing/v1/connections_pb.js';
import { OwnConnections } from '@tollgate/contracts/common/v1/usage_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { z } from 'zod';
import type { Context } from '../../../context.js';
import {
  type ConnectionEntry,
  secretsToBring,
  toEntry,
  toSecrets,
} from '../../../domain/connections/connection-entry.js';
import { enforceProjectLimit } from '../../../limits/rate-limit.js';
import { endpointRoutes } from '../endpoint-routes.js';

export const { projectRoute, endpointRoute } = endpointRoutes({
  segment: 'connections',
  idParam: 'connection_id',
  tag: 'Connections',
  name: 'connection',
  errorShape: 'native',
});

export const listConnections = projectRoute({
  method: 'GET',
  summary: 'List connections, oldest first, which is the order in which they are asked',
  operationId: 'listConnections',
  description: 'Connections that serve the same model are asked in this order.',
  query: listConnectionsQuery,
  success: { status: 200, schema: listConnectionsResponse },
  async handler({ query: { limit, offset }, call }, { clients }) {
    const page = await clients.connections.listConnections({ limit, offset }, call);
    const connections = page.connections.map(connectionJson);
    return { body: { connections, ...nextCursor(offset, connections.length, page.hasMore) } };
  },
});

/** Stores nothing before the vendor has answered. */
export const createConnection = projectRoute({
  method: 'POST',
  summary: 'Add a connection with your own key',
  operationId: 'createConnection',
  description:
    'Requests to its models go to the vendor with your key. You pay the vendor: the owner account is not charged for them, and customers pay the prices of their tier. The first model is asked before the connection is stored; if the vendor refuses, the answer has its words. A project has at most 20 connections. Changes take effect within seconds.',
  body: createConnectionBody,
  success: { status: 201, schema: connectionResponse },
  refusals: [409],
  audit: 'connection.created',
  timeoutMs: 40_000,
  async handler({ body, call }, ctx) {
    const { name, mode, models: named, ...settings } = body;
    const models = toConnectedModels(ctx.catalog, named);
    const entry = toEntry({ keys: [], header_names: [] }, settings);
    const secrets = toSecrets(settings);
    await requireAnswer(ctx, { name, entry, secrets, models }, call);
    const stored = { name, mode: toMode(mode), entryJson: JSON.stringify(entry), models };
    const { connection } = await ctx.clients.connections.createConnection(
      { ...stored, secretsJson: JSON.stringify(secrets ?? {}) },
      call,
    );
    return { status: 201, body: { connection: connectionJson(connection!) } };
  },
});

export const getConnection = endpointRoute({
  method: 'GET',
  summary: 'Get a connection',
  operationId: 'getConnection',
  description: 'Returns the settings of a connection, without its secrets.',
  success: { status: 200, schema: connectionResponse },
  async handler({ id, call }, { clients }) {
    const { connection } = await clients.connections.getConnection({ id }, call);
    return { body: { connection: connectionJson(connection!) } };
  },
});

/** The vendor is asked again unless only the name or the mode changes. */
export const updateConnection = endpointRoute({
  method: 'PATCH',
  summary: 'Update a connection or its keys',
  operationId: 'updateConnection',
  description:
    'Omitted fields keep their values; null removes a setting. `keys`, `headers` and `models` replace all of theirs. A change of `preset`, `base_url` or `auth` needs the keys and headers again: a stored secret is never sent to another server. The vendor is asked before the change is stored, unless only the name or the mode changes.',
  body: updateConnectionBody,
  success: { status: 200, schema: connectionResponse },
  refusals: [409],
  audit: 'connection.updated',
  timeoutMs: 40_000,
  async handler({ id, body, call }, ctx) {
    const { name, mode, models: named, ...settings } = body;
    const { connection: before } = await ctx.clients.connections.getConnection({ id }, call);
    const models = named ? toConnectedModels(ctx.catalog, named) : before!.models;
    const entry = toEntry(readEntry(before!), settings);
    requireSecrets(secretsToBring(readEntry(before!), entry, settings));
    const secrets = toSecrets(settings);
    const isTried = named !== undefined || Object.keys(settings).length > 0;
    const tried = { id: before!.id, name: name ?? before!.name, entry, secrets, models };
    if (isTried) await requireAnswer(ctx, tried, call);
    const { connection } = await ctx.clients.connections.updateConnection(
      {
        id: before!.id,
        version: before!.version,
        name: tried.name,
        mode: mode ? toMode(mode) : before!.mode,
        entryJson: JSON.stringify(entry),
        models: models.map(({ modelId, upstreamModel }) => ({ modelId, upstreamModel })),
        secretsJson: secrets ? JSON.stringify(secrets) : '',
      },
      call,
    );
    return { body: { connection: connectionJson(connection!) } };
  },
});

function requireSecrets(missing: readonly string[]): void {
  if (missing.length === 0) return;
  const message = 'is required with another preset, base_url or auth: a stored secret is never sent to another server';
  const fields = missing.map((field) => ({ field, message }));
  throw new AppError('VALIDATION_ERROR', `${missing[0]}: ${message}`, { fields });
}

export const deleteConnection = endpointRoute({
  method: 'DELETE',
  summary: 'Delete a connection',
  operationId: 'deleteConnection',
  description:
    'Its keys are deleted too. Within seconds, requests to its models go by the routes of the installation, which the owner account pays.',
  success: { status: 204 },
  audit: 'connection.deleted',
  async handler({ id, call }, { clients }) {
    await clients.connections.deleteConnection({ id }, call);
    return { status: 204 };
  },
});

/** Answers 200 even for a connection that fails: the test was made, and the body has its result. */
export const testConnection = endpointRoute({
  method: 'POST',
  action: '/test',
  summary: 'Ask a connection now',
  operationId: 'testConnection',
  description:
    'Sends a tiny request to the first model of the connection, which you pay the vendor for. A project may test its connections 30 times per minute, saving included.',
  success: { status: 200, schema: testConnectionResponse },
  timeoutMs: 40_000,
  async handler({ id, call }, ctx) {
    const { connection } = await ctx.clients.connections.getConnection({ id }, call);
    const { name, models } = connection!;
    const tried = { id: connection!.id, name, entry: readEntry(connection!), secrets: undefined, models };
    const { succeeded, status, message, latencyMs } = await tryConnection(ctx, tried, call);
    return {
      body: {
        status: succeeded ? 'success' : 'error',
        response_status: status || null,
        latency_ms: latencyMs,
        error: succeeded ? null : message,
      },
    };
  },
});

/** Returns the stored settings of a connection. */
function readEntry({ entryJson }: Connection): ConnectionEntry {
  return JSON.parse(entryJson) as ConnectionEntry;
}

function toMode(mode: 'prefer' | 'only'): OwnConnections {
  return mode === 'only' ? OwnConnections.ONLY : OwnConnections.PREFER;
}

function connectionJson(connection: Connection): z.output<typeof connectionSchema> {
  const { id, projectId, name, mode, models, createdAt, updatedAt } = connection;
  return {
    id,
    project_id: projectId,
    name,
    mode: mode === OwnConnections.ONLY ? 'only' : 'prefer',
    ...readEntry(connection),
    models: models.map(({ modelId, upstreamModel }) => ({ model: modelId, upstream_model: upstreamModel })),
    created_at: timestampDate(createdAt!).toISOString(),
    updated_at: timestampDate(updatedAt!).toISOString(),
  };
}

interface NamedModel {
  model: string;
  upstream_model?: string | undefined;
}

/** A model of the catalog with its name at the vendor. */
interface ConnectedModel {
  modelId: string;
  upstreamModel: string;
}

/** Returns the models that a connection serves. @throws AppError VALIDATION_ERROR for models that could not be charged */
function toConnectedModels(catalog: Catalog, models: readonly NamedModel[]): ConnectedModel[] {
  return models.map(({ model: name, upstream_model: upstream }, i) => {
    const model = catalog.find(name);
    if (!model) throw unusable(i, `${name} is unknown; use an id that GET /api/v1/models lists`);
    if (!model.capabilities.includes('text')) throw unusable(i, `${name} does not answer with text`);
    if (!isPriced(model, 'text')) throw unusable(i, `${name} has no price in the catalog; ask the operator to add one`);
    const upstreamModel = upstream ?? model.routes[0]?.upstream_model ?? bareModelId(model);
    return { modelId: model.model_id, upstreamModel };
  });
}

function unusable(i: number, message: string): AppError {
  const field = `models[${i}].model`;
  return new AppError('VALIDATION_ERROR', `${field}: ${message}`, { fields: [{ field, message }] });
}

/** Of all connections of a project: each test asks a vendor. */
const TESTS_PER_MINUTE = 30;

type TestingContext = Pick<Context, 'clients' | 'config' | 'rateStore'>;

interface TriedConnection {
  /** Of a stored connection, whose secrets are used where none are given. */
  id?: string;
  name: string;
  entry: ConnectionEntry;
  secrets: object | undefined;
  models: readonly ConnectedModel[];
}

/** Asks the first model of a connection. @throws AppError VALIDATION_ERROR for settings that cannot be used */
async function tryConnection(ctx: TestingContext, tried: TriedConnection, call: Call) {
  await enforceProjectLimit('connection-test', call.requirePrincipal().projectId, TESTS_PER_MINUTE, ctx);
  const { id = '', name, entry, secrets, models } = tried;
  const [first] = models;
  return ctx.clients.inference.testConnection(
    {
      connectionId: id,
      name,
      entryJson: JSON.stringify(entry),
      secretsJson: secrets ? JSON.stringify(secrets) : '',
      upstreamModel: first?.upstreamModel ?? '',
      modelId: first?.modelId ?? '',
    },
    call,
  );
}

/** @throws AppError VALIDATION_ERROR with the vendor's words if the connection does not answer; nothing is stored then */
async function requireAnswer(ctx: TestingContext, tried: TriedConnection, call: Call): Promise<void> {
  const { succeeded, message } = await tryConnection(ctx, tried, call);
  if (succeeded) return;
  const fields = [{ field: 'connection', message }];
  throw new AppError('VALIDATION_ERROR', `the connection does not work: ${message}`, { fields });
}
