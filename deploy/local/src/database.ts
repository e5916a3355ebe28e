import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@tollgate/postgres';
import { backoffMs, type Stoppable } from '@tollgate/runtime';

const RESTART_PAUSE = { minMs: 200, maxMs: 5_000 };
const CONNECTIONS_MAX = 200;

export interface LocalDatabase extends Stoppable {
  url: string;
}

/** Starts the embedded PostgreSQL of the local stack, and restarts it at the same address when it ends by itself. */
export async function startLocalDatabase(dataDir: string, say: (line: string) => void): Promise<LocalDatabase> {
  const start = (port?: number): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({
      dataDir,
      durable: true,
      maxConnections: CONNECTIONS_MAX,
      log: say,
      ...(port !== undefined && { port }),
    });
  let server = await start();
  const { url, port } = server;
  const stopping = new AbortController();

  async function restart(): Promise<void> {
    for (let failures = 1; ; failures++) {
      await sleep(backoffMs(failures, RESTART_PAUSE), undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        const next = await start(port);
        if (next.port === port) {
          server = next;
          return;
        }
        // The services only know the old address.
        await next.stop();
      } catch (error) {
        say(`PostgreSQL did not start: ${(error as Error).message}`);
      }
    }
  }

  async function supervise(): Promise<void> {
    for (;;) {
      const code = await server.exited;
      if (stopping.signal.aborted) return;
      say(`PostgreSQL ended (${code}); starting it again`);
      await restart();
    }
  }

  const supervising = supervise();
  return {
    url,
    stop: async () => {
      stopping.abort();
      await server.stop();
      await supervising;
      // A restart may have been in progress when the stop began.
      await server.stop();
    },
  };
}
