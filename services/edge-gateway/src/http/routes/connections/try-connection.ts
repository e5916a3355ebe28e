import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../../context.js';
import type { ConnectionEntry } from '../../../domain/connections/connection-entry.js';
import { enforceProjectLimit } from '../../../limits/rate-limit.js';
import type { ConnectedModel } from './connected-models.js';

/** Of all connections of a project: each test asks a vendor. */
const TESTS_PER_MINUTE = 30;

export type TestingContext = Pick<Context, 'clients' | 'config' | 'rateStore'>;

export interface TriedConnection {
  /** Of a stored connection, whose secrets are used where none are given. */
  id?: string;
  name: string;
  entry: ConnectionEntry;
  secrets: object | undefined;
  models: readonly ConnectedModel[];
}

/** Asks the first model of a connection. @throws AppError VALIDATION_ERROR for settings that cannot be used */
export async function tryConnection(ctx: TestingContext, tried: TriedConnection, call: Call) {
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
export async function requireAnswer(ctx: TestingContext, tried: TriedConnection, call: Call): Promise<void> {
  const { succeeded, message } = await tryConnection(ctx, tried, call);
  if (succeeded) return;
  const fields = [{ field: 'connection', message }];
  throw new AppError('VALIDATION_ERROR', `the connection does not work: ${message}`, { fields });
}
