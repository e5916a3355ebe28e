import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@tollgate/postgres';
import type { Stoppable } from '@tollgate/runtime';

const RESTART_PAUSE_MIN_MS = 200;
const RESTART_PAUSE_MAX_MS = 5_000;
const CONNECTIONS_MAX = 200;

export interface LocalDatabase extends Stoppable {
  url: string;
}

/** The embedded PostgreSQL of the local stack. When it ends by itself it is started again at the same address. */
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
    for (let pauseMs = RESTART_PAUSE_MIN_MS; ; pauseMs = Math.min(pauseMs * 2, RESTART_PAUSE_MAX_MS)) {
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        const next = await start(port);
        if (next.port === port) {
          server = next;
          return;
        }
        // The services know the old address only.
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
      // A restart that was under way when the stop began.
      await server.stop();
    },
  };
}
