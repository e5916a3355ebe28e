import { connectionResponse, createConnectionBody } from '@tollgate/api/connections';
import { toEntry, toSecrets } from '../../../domain/connections/connection-entry.js';
import { toConnectedModels } from './connected-models.js';
import { projectRoute } from './connection-route.js';
import { connectionJson, toMode } from './render.js';
import { requireAnswer } from './try-connection.js';

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
