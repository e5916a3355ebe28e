import { connectionSchema } from '@tollgate/catalog';
import type { Logger } from '@tollgate/runtime';
import { z } from 'zod';
import { type OpenConnection, openConnection } from '../providers/connections/open-connection.js';
import { completeConnection } from '../providers/connections/presets.js';

const limits = {
  connections: 8,
  inFlightMax: 8,
  connectTimeoutMs: 30_000,
  responseTimeoutMs: 30_000,
  idleTimeoutMs: 30_000,
};

const schema = connectionSchema(z.string());

/** Opens a connection as an entry of the connections file describes it. */
export function openTestConnection(
  entry: Omit<z.input<typeof schema>, 'id'> & { id?: string },
  logger?: Logger,
): OpenConnection {
  const connection = completeConnection(schema.parse({ id: 'test', ...entry }));
  return openConnection(connection, { limits, standstill: { over: () => undefined }, logger });
}
