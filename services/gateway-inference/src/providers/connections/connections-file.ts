import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type Connection, connectionSchema } from '@tollgate/catalog';
import { ConfigError } from '@tollgate/runtime';
import { z } from 'zod';
import { isRefusedLiteral } from '../transport/guarded-lookup.js';
import { completeConnection } from './presets.js';

const FILE_BYTES_MAX = 1024 * 1024;
const SECRET_BYTES_MAX = 64 * 1024;

/** Where the file is, and what its entries may refer to. */
export interface ConnectionsSource {
  /** `CONNECTIONS_FILE`. */
  file: string;
  /** Reads a variable that a secret names. */
  readVariable(name: string): string | undefined;
  /** Whether servers may have private addresses. */
  allowPrivate: boolean;
}

/** Why CONNECTIONS_FILE could not be used when it was last read. */
export class ConnectionsFileState {
  /** Empty while the file is valid. */
  problem = '';
}

/**
 * Reads the connections of the installation: `{"connections": [entry, …]}`. A secret is `{"env": "NAME"}` or `{"file": "/run/secrets/x"}`,
 * whose last line break is left out; text is accepted too.
 *
 * @throws ConfigError naming the entry and its faulty members; it contains no secret
 */
export function readConnectionsFile(source: ConnectionsSource): Connection[] {
  const { file } = source;
  const secret = secretSchema(source);
  const content = parseFile(file);
  const list = z.strictObject({ connections: z.array(z.unknown()).max(500) }).safeParse(content);
  if (!list.success) throw new ConfigError(`${file}: expected {"connections": [entry, …]} with at most 500 entries`);
  const schema = connectionSchema(secret);
  const seen = new Set<string>();
  return list.data.connections.map((entry, index) => {
    const parsed = schema.safeParse(entry);
    if (!parsed.success)
      throw new ConfigError(`${file}: connection ${toName(entry, index)}: ${describe(parsed.error)}`);
    const connection = completeConnection(parsed.data);
    if (connection.id === 'sandbox')
      throw new ConfigError(`${file}: connection sandbox: id: is reserved for the connection without network`);
    if (seen.has(connection.id)) throw new ConfigError(`${file}: connection ${connection.id}: repeated`);
    seen.add(connection.id);
    if (isRefusedLiteral(connection.base_url, source.allowPrivate)) {
      const message = 'base_url: a private address needs ALLOW_PRIVATE_ENDPOINTS=1';
      throw new ConfigError(`${file}: connection ${connection.id}: ${message}`);
    }
    return connection;
  });
}

function secretSchema({ readVariable }: ConnectionsSource): z.ZodType<string> {
  const reference = z.union(
    [z.string().max(SECRET_BYTES_MAX), z.strictObject({ env: z.string() }), z.strictObject({ file: z.string() })],
    { error: 'expected {"env": "NAME"} or {"file": "path"}' },
  );
  return reference.transform((value, context) => {
    if (typeof value === 'string') return value;
    try {
      if ('env' in value) return readVariable(value.env) || fail(`the variable ${value.env} is not set`);
      return readLimited(value.file, SECRET_BYTES_MAX).replace(/\r?\n$/, '') || fail(`${value.file} is empty`);
    } catch (error) {
      context.addIssue((error as Error).message);
      return z.NEVER;
    }
  });
}

function parseFile(file: string): unknown {
  try {
    return JSON.parse(readLimited(file, FILE_BYTES_MAX));
  } catch (error) {
    // The message of a syntax error quotes the text, which may contain a secret.
    const reason = error instanceof SyntaxError ? 'is not JSON' : (error as Error).message;
    throw new ConfigError(`${file}: ${reason}`);
  }
}

/** Reads a regular file, also behind a link, up to the bound. A pipe or a device may never end, and the process waits for the read. */
function readLimited(file: string, bytesMax: number): string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(descriptor).isFile()) fail(`${file} is not a file`);
    const content = Buffer.alloc(bytesMax + 1);
    let length = 0;
    for (let read = 1; read > 0 && length < content.length; length += read)
      read = readSync(descriptor, content, length, content.length - length, null);
    return length <= bytesMax ? content.toString('utf8', 0, length) : fail(`${file} is larger than ${bytesMax} bytes`);
  } finally {
    closeSync(descriptor);
  }
}

function toName(entry: unknown, index: number): string {
  const { id } = (typeof entry === 'object' && entry !== null ? entry : {}) as { id?: unknown };
  return typeof id === 'string' ? id.slice(0, 64) : String(index);
}

function describe({ issues }: z.ZodError): string {
  return issues
    .map(({ path, message }) => [...(path.length > 0 ? [path.join('.')] : []), message].join(': '))
    .join('; ');
}

function fail(message: string): never {
  throw new ConfigError(message);
}
