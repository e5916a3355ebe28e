import type { Connection } from '@tollgate/catalog';
import { ConfigError } from '@tollgate/runtime';
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

/**
 * Returns the authorizer of one key; without a key, the authorizer uses the environment or adds nothing.
 *
 * @throws ConfigError for an authentication that needs a key
 */
export function createAuthorizer({ id, auth }: Pick<Connection, 'id' | 'auth'>, key: Key | undefined): Authorizer {
  switch (auth.type) {
    case 'none':
      return new StaticAuthorizer();
    case 'bearer':
      return new StaticAuthorizer(key && ['authorization', `Bearer ${key.secret}`]);
    case 'header':
      return new StaticAuthorizer(key && [auth.name, auth.prefix + key.secret]);
    case 'aws':
    case 'azure':
    case 'google':
      throw new ConfigError(`connection ${id}: auth ${auth.type} is not supported`);
  }
}
