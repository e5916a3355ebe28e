import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '@tollgate/postgres';
import { freePort } from '@tollgate/runtime/free-port';
import pg from 'pg';
import { type Peer, startSource } from './peers/program.js';

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

/** The process whose children are the backends of a server on this machine. */
export async function postmasterPid(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const stat = readFileSync(`/proc/${rows[0]?.pid}/stat`, 'utf8');
  await client.end();
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** Starts the bare proxy that every other server is compared with. */
export async function startFloor(upstream: string): Promise<Peer> {
  const port = await freePort();
  return startSource('floor.ts', [String(port), upstream], port);
}

/** A receiver of webhooks. */
export async function startSink(): Promise<Peer> {
  const port = await freePort();
  return startSource('sink.ts', [String(port)], port);
}
