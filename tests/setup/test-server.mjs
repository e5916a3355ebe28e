import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tsImport } from 'tsx/esm/api';

/** One embedded PostgreSQL in a folder of its own, so that several test runs at once never meet. */
export async function startTestServer() {
  const { startEmbeddedPostgres, removeEmbeddedPostgres } = await tsImport(
    '../../packages/postgres/src/embedded/server.ts',
    import.meta.url,
  );
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-tests-'));
  chmodSync(folder, 0o755); // as root the server runs under another account, which has to enter
  const dataDir = join(folder, 'postgres');
  const server = await startEmbeddedPostgres({ dataDir, durable: false, maxConnections: 300 });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      removeEmbeddedPostgres(dataDir);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
