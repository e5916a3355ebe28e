import { openSecret, type SealedSecret } from '@tollgate/runtime/secret-box';
import type { Context } from '../../../context.js';
import { type Connection, connectionSchema } from '../../../domain/mcp/connection.js';
import type { McpAuthorization } from '../../../store/mcp/mcp-authorizations.js';
import { resealSecret } from '../../signing-secrets.js';

/** @throws Error when no configured key opens the secret */
export function openConnection({ keyring }: Pick<Context, 'keyring'>, { id, secret }: McpAuthorization): Connection {
  return connectionSchema.parse(JSON.parse(openSecret(keyring, secret, id)));
}

/** Returns the columns of a connection whose tokens were issued at `now`. */
export function sealConnection(
  { keyring }: Pick<Context, 'keyring'>,
  id: string,
  connection: Connection,
  now: Date,
): { secret: SealedSecret; expiresAt: Date | undefined } {
  const { expires_in: seconds } = connection.tokens;
  const expiresAt =
    seconds === undefined ? undefined : new Date(now.getTime() + Math.min(seconds, 366 * 86_400) * 1000);
  return { secret: resealSecret(keyring, JSON.stringify(connection), id), expiresAt };
}
