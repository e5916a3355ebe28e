import type { Connection } from '@tollgate/catalog';
import { type Clock, ConfigError, systemClock } from '@tollgate/runtime';
import { AwsAuthorizer } from '../authorize/aws-authorizer.js';
import { issueEntraToken } from '../authorize/entra-token.js';
import { issueGoogleToken, parseGoogleCredential } from '../authorize/google-token.js';
import { TokenAuthorizer } from '../authorize/token-authorizer.js';
import type { Authorizer } from '../contract/authorizer.js';

/** A key of a connection. */
type Key = Connection['keys'][number];

/** Adds the same headers to each request. */
export class StaticAuthorizer implements Authorizer {
  readonly #headers: readonly string[];

  /** `headers`: a flat list of names and values. */
  constructor(headers: readonly string[] = []) {
    this.#headers = headers;
  }

  authorize(): readonly string[] {
    return this.#headers;
  }
}

/** What authorizers need beside their key. */
export interface AuthorizerOptions {
  clock?: Clock;
  /** Whether the connection is the installation's own, so that it may use files and the identity of this machine. */
  usesMachine?: boolean | undefined;
}

/**
 * Returns the authorizer of one key; without a key, that of the machine, or an authorizer that adds nothing.
 *
 * @throws ConfigError for an authentication that needs a key; TokenError for a credential that cannot be read
 */
export function createAuthorizer(
  { id, auth }: Pick<Connection, 'id' | 'auth'>,
  key: Key | undefined,
  { clock = systemClock, usesMachine = false }: AuthorizerOptions = {},
): Authorizer {
  switch (auth.type) {
    case 'none':
      return new StaticAuthorizer();
    case 'bearer':
      return new StaticAuthorizer(key && ['authorization', `Bearer ${key.secret}`]);
    case 'header':
      return new StaticAuthorizer(key && [auth.name, auth.prefix + key.secret]);
    case 'aws':
      return createAws(id, auth, key, clock);
    case 'azure':
      return createAzure(id, auth, key, clock);
    case 'google': {
      if (!key && !usesMachine) throw new ConfigError(`connection ${id}: keys: required`);
      const credential = key && parseGoogleCredential(key.secret, { readsLocal: usesMachine });
      return new TokenAuthorizer(() => issueGoogleToken(credential, auth.scope, clock), clock);
    }
  }
}

type AuthOf<Type extends Connection['auth']['type']> = Extract<Connection['auth'], { type: Type }>;

function createAws(id: string, auth: AuthOf<'aws'>, key: Key | undefined, clock: Clock): Authorizer {
  const { access_key_id: accessKeyId, secret: secretAccessKey, session_token: sessionToken } = key ?? {};
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new ConfigError(`connection ${id}: keys: access_key_id and secret are required`);
  }
  return new AwsAuthorizer({ accessKeyId, secretAccessKey, sessionToken }, auth, clock);
}

function createAzure(id: string, auth: AuthOf<'azure'>, key: Key | undefined, clock: Clock): Authorizer {
  const { tenant_id: tenantId, client_id: clientId } = auth;
  if (tenantId === undefined) return new StaticAuthorizer(key && ['api-key', key.secret]);
  if (clientId === undefined || !key) throw new ConfigError(`connection ${id}: auth.client_id and keys: required`);
  return new TokenAuthorizer(() => issueEntraToken({ tenantId, clientId, clientSecret: key.secret }), clock);
}
