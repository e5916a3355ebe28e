import type { McpReply } from '../../clients/mcp-failure.js';
import type { McpServer } from '../../domain/mcp/mcp-server.js';
import type { Listing } from '../../domain/mcp/offered-tools.js';

/** Joins the listings of a server that start while one is in progress: the steps of a run often start together. */
export class SharedListings {
  readonly #running = new Map<string, Promise<McpReply<Listing>>>();

  /** Joins the listing in progress that uses the same settings, or starts one. */
  join({ id, updatedAt }: Pick<McpServer, 'id' | 'updatedAt'>, list: () => Promise<McpReply<Listing>>) {
    const key = `${id} ${updatedAt.getTime()}`;
    const running = this.#running.get(key) ?? list().finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }
}
