import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '@tollgate/postgres';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Starts a PostgreSQL server with durable commits: every commit reaches the disk. */
export async function onDurableDatabase<T>(use: (url: string) => Promise<T>, maxConnections = 100): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
  chmodSync(folder, 0o755);
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), durable: true, maxConnections });
  try {
    return await use(server.url);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts the fake provider in its own process. */
export async function startUpstream(args: string[]): Promise<{ baseUrl: string; stop(): void }> {
  const child = spawn(process.execPath, ['packages/testkit/dist/fake-provider-main.js', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await new Promise<string[]>((resolve) =>
    createInterface({ input: child.stdout }).once('line', (text) => resolve([text])),
  )) as [string];
  return { baseUrl: JSON.parse(line).base_url, stop: () => child.kill('SIGTERM') };
}
