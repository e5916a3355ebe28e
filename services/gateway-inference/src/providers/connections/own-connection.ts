import { type Connection, connectionSchema } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';
import { ConfigError } from '@tollgate/runtime';
import { z } from 'zod';
import { isRefusedLiteral } from '../transport/guarded-lookup.js';
import { completeConnection } from './presets.js';

/** A project's connection as the ledger stores it. */
export interface StoredConnection {
  name: string;
  /** The settings that may be shown: `keys` without secrets, `header_names` without values. */
  entryJson: string;
  /** The secrets of the keys, in their order, and the headers. */
  secretsJson: string;
}

const SECRET_CHARS_MAX = 16_384;
/** Bounds of a connection that states none: sockets of one process, and requests in progress and waiting. */
const SOCKETS_MAX = 64;
const IN_FLIGHT_MAX = 1_000;

const secret = z.string().min(1).max(SECRET_CHARS_MAX);
const schema = connectionSchema(secret);
const storedEntry = z.looseObject({
  keys: z.array(z.looseObject({})).max(16).default([]),
});
const storedSecrets = z.object({
  keys: z
    .array(z.object({ secret, session_token: secret.optional() }))
    .max(16)
    .default([]),
  headers: z.record(z.string(), z.string()).default({}),
});

/**
 * Returns a project's connection with its secrets.
 *
 * @throws AppError VALIDATION_ERROR that says what to change, without a secret
 */
export function toOwnConnection(stored: StoredConnection, { allowPrivate }: { allowPrivate: boolean }): Connection {
  const { name, entryJson, secretsJson } = stored;
  const { keys: shown, header_names: _, ...entry } = storedEntry.parse(JSON.parse(entryJson));
  const secrets = storedSecrets.safeParse(secretsJson === '' ? {} : JSON.parse(secretsJson));
  if (!secrets.success) throw invalid('keys', `each needs a secret of at most ${SECRET_CHARS_MAX} characters`);
  const keys = secrets.data.keys.map((key, i) => ({ ...withoutLastFour(shown[i]), ...key }));
  const parsed = schema.safeParse({ ...entry, id: name, keys, headers: secrets.data.headers });
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    throw invalid(path.join('.') || 'connection', message);
  }
  const connection = complete({ sockets_max: SOCKETS_MAX, in_flight_max: IN_FLIGHT_MAX, ...parsed.data });
  if (allowPrivate) return connection;
  if (!connection.base_url.startsWith('https:')) throw invalid('base_url', 'must begin with https:');
  if (isRefusedLiteral(connection.base_url, false))
    throw invalid('base_url', 'is a private address; use the public address of the server');
  return connection;
}

/** Converts the error of a setting that the file of the installation may also have. */
export function toSettingError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  // The errors of credentials and of settings contain no secret. Those of settings begin with the connection and the member.
  const message = error instanceof Error ? error.message : String(error);
  const [, field, fault] = /connection [^:]+: ([a-z_.]+): ([\s\S]+)$/.exec(message) ?? [];
  return field !== undefined && fault !== undefined ? invalid(field, fault) : invalid('keys', message);
}

function complete(entry: Parameters<typeof completeConnection>[0]): Connection {
  try {
    return completeConnection(entry);
  } catch (error) {
    if (error instanceof ConfigError) throw toSettingError(error);
    throw error;
  }
}

function withoutLastFour(key: object = {}): object {
  const { last_four: _, ...rest } = key as { last_four?: unknown };
  return rest;
}

function invalid(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', `${field}: ${message}`, { fields: [{ field, message }] });
}
