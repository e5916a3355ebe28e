import { isDeepStrictEqual } from 'node:util';
import type { Connection } from '@tollgate/catalog';
import { SandboxImages } from '../sandbox/sandbox-images.js';
import { SandboxMedia } from '../sandbox/sandbox-media.js';
import { SandboxProvider } from '../sandbox/sandbox-provider.js';
import { type ConnectionOptions, type OpenConnection, openConnection } from './open-connection.js';

/** The connections of this process by their ids. */
export class Connections {
  readonly #options: ConnectionOptions;
  readonly #sandbox: OpenConnection | undefined;
  #open: ReadonlyMap<string, Entry> = new Map();

  /** `sandbox`: whether the provider exists that answers without network. @throws ConfigError */
  constructor(connections: readonly Connection[], options: ConnectionOptions, { sandbox = false } = {}) {
    this.#options = { ...options, usesMachine: true };
    this.#sandbox = sandbox ? openSandbox() : undefined;
    this.replace(connections);
  }

  /** Returns a connection; undefined if this process has none of that id. */
  find(id: string): OpenConnection | undefined {
    return id === 'sandbox' ? this.#sandbox : this.#open.get(id)?.open;
  }

  list(): OpenConnection[] {
    return [...(this.#sandbox ? [this.#sandbox] : []), ...[...this.#open.values()].map(({ open }) => open)];
  }

  /**
   * Makes these the connections; the last one of an id counts. Those that have not changed keep their sockets. Calls of the others
   * continue; their sockets close when they are idle.
   *
   * @throws ConfigError for a connection that is not supported; nothing has changed then
   */
  replace(connections: readonly Connection[]): void {
    const open = new Map<string, Entry>();
    for (const connection of connections) {
      const known = this.#open.get(connection.id);
      const isSame = known !== undefined && isDeepStrictEqual(known.connection, connection);
      open.set(connection.id, isSame ? known : { connection, open: openConnection(connection, this.#options) });
    }
    this.#open = open;
  }

  /** Closes all sockets, after all calls have ended. */
  async close(): Promise<void> {
    await Promise.all(this.list().map(({ models }) => models.close()));
  }
}

interface Entry {
  readonly connection: Connection;
  readonly open: OpenConnection;
}

/** Answers without network, for tests and trials. */
function openSandbox(): OpenConnection {
  return { id: 'sandbox', models: new SandboxProvider(), images: new SandboxImages(), media: new SandboxMedia() };
}
