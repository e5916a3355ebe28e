import { connectionResponse, updateConnectionBody } from '@tollgate/api/connections';
import { AppError } from '@tollgate/errors';
import { secretsToBring, toEntry, toSecrets } from '../../../domain/connections/connection-entry.js';
import { toConnectedModels } from './connected-models.js';
import { endpointRoute } from './connection-route.js';
import { connectionJson, readEntry, toMode } from './render.js';
import { requireAnswer } from './try-connection.js';

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
