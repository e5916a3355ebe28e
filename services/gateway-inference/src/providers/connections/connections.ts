import type { Connection } from '@tollgate/catalog';
import { SandboxImages } from '../sandbox/sandbox-images.js';
import { SandboxMedia } from '../sandbox/sandbox-media.js';
import { SandboxProvider } from '../sandbox/sandbox-provider.js';
import { type ConnectionOptions, type OpenConnection, openConnection } from './open-connection.js';

/** The connections of this process by their ids. */
export class Connections {
  readonly #options: ConnectionOptions;
  #open: ReadonlyMap<string, OpenConnection>;

  /** `sandbox`: whether the provider exists that answers without network. @throws ConfigError */
  constructor(connections: readonly Connection[], options: ConnectionOptions, { sandbox = false } = {}) {
    this.#options = options;
    const all = connections.map((connection) => openConnection(connection, this.#options));
    if (sandbox) all.unshift(openSandbox());
    this.#open = new Map(all.map((open) => [open.id, open]));
  }

  /** Returns a connection; undefined if this process has none of that id. */
  find(id: string): OpenConnection | undefined {
    return this.#open.get(id);
  }

  list(): OpenConnection[] {
    return [...this.#open.values()];
  }

  /** Closes all sockets, after all calls have ended. */
  async close(): Promise<void> {
    await Promise.all(this.list().map(({ models }) => models.close()));
  }
}

/** Answers without network, for tests and trials. */
function openSandbox(): OpenConnection {
  return { id: 'sandbox', models: new SandboxProvider(), images: new SandboxImages(), media: new SandboxMedia() };
}
