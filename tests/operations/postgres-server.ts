import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@tollgate/runtime/free-port';
import { waitUntil } from '@tollgate/testkit';
import pg from 'pg';

export interface PostgresServer {
  /** Creates a database and returns its URL. */
  create(name: string): Promise<string>;
  drop(name: string): Promise<void>;
  stop(): Promise<void>;
}

const DEBIAN_VERSIONS = '/usr/lib/postgresql';

/** The folder of an installed PostgreSQL with its client programs, which the npm package lacks. */
export function installedPostgres(): string | undefined {
  const versions = existsSync(DEBIAN_VERSIONS) ? readdirSync(DEBIAN_VERSIONS) : [];
  const folders = versions.sort((a, b) => Number(b) - Number(a)).map((name) => join(DEBIAN_VERSIONS, name, 'bin'));
  return folders.find((folder) => ['initdb', 'postgres', 'pg_dump'].every((name) => existsSync(join(folder, name))));
}

/** Starts a server of the installed version, which ends with the test. */
export async function startInstalledPostgres(folder: string, settings = ['fsync=off']): Promise<PostgresServer> {
  const home = mkdtempSync('/var/tmp/tollgate-test-postgres-');
  const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;
  if (account) chownSync(home, account.uid, account.gid);
  const data = join(home, 'data');
  const made = spawnSync(join(folder, 'initdb'), ['-D', data, '-U', 'tollgate', '-A', 'trust', '--no-sync'], {
    ...account,
    cwd: '/',
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', home];
  const more = ['max_connections=300', ...settings].flatMap((setting) => ['-c', setting]);
  const server = spawn(join(folder, 'postgres'), [...args, ...more], {
    ...account,
    cwd: '/',
    stdio: 'ignore',
  });
  const databaseUrl = (name: string) => `postgresql://tollgate@127.0.0.1:${port}/${name}`;
  await waitUntil(() => isReady(databaseUrl('postgres')), { what: 'the database server', timeoutMs: 30_000 });
  return {
    async create(name) {
      await execute(databaseUrl('postgres'), `CREATE DATABASE ${name}`);
      return databaseUrl(name);
    },
    drop: (name) => execute(databaseUrl('postgres'), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
    async stop() {
      await end(server);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  return execute(url, 'SELECT 1').then(
    () => true,
    () => false,
  );
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function end(server: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGINT'); // a fast shutdown
  await ended;
}
