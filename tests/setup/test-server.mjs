import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tsImport } from 'tsx/esm/api';

const prefix = 'tollgate-tests-';

/** One embedded PostgreSQL in its own folder, so that concurrent test runs do not affect each other. */
export async function startTestServer() {
  const { startEmbeddedPostgres, removeEmbeddedPostgres } = await tsImport(
    '../../packages/postgres/src/embedded/server.ts',
    import.meta.url,
  );
  const { removeLeftovers } = await tsImport('./leftovers.ts', import.meta.url);
  removeLeftovers(tmpdir());
  removeServersOfKilledRuns(removeEmbeddedPostgres);
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  chmodSync(folder, 0o755); // as root the server runs under another account, which has to enter
  const server = await startEmbeddedPostgres({ dataDir: dataIn(folder), durable: false, maxConnections: 300 });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      remove(folder, removeEmbeddedPostgres);
    },
  };
}

/** Deletes folders of runs that were killed: their server ended by itself, their folder stayed. */
function removeServersOfKilledRuns(removeEmbeddedPostgres) {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    try {
      remove(join(tmpdir(), name), removeEmbeddedPostgres);
    } catch {
      // Not ours, or still shutting down; the next run tries again.
    }
  }
}

function remove(folder, removeEmbeddedPostgres) {
  removeEmbeddedPostgres(dataIn(folder));
  rmSync(folder, { recursive: true, force: true });
}

function dataIn(folder) {
  return join(folder, 'postgres');
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
