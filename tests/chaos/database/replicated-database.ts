// A primary of the embedded PostgreSQL and its replica. Services reach the primary, and the replica receives its WAL, through
// proxies that a test can cut.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@tollgate/postgres';
import { waitUntil } from '@tollgate/testkit';
import pg from 'pg';
import { type DatabaseProxy, startDatabaseProxy } from '../../operate/database-proxy.js';

const REPLICA = 'replica';
const TIMEOUT_MS = 60_000;

export interface ReplicatedDatabase {
  /** Names both servers: services use the server that accepts writes. */
  url: string;
  /** Between the services and the first primary. */
  services: DatabaseProxy;
  /** Reads and writes on the present primary, without the proxy. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Waits until the replica has replayed all that the primary has written. */
  awaitReplica(): Promise<void>;
  /** The replica receives nothing from now on. */
  cutReplication(): Promise<void>;
  /** `kill -9` of the primary with all its processes. */
  killPrimary(): Promise<void>;
  promoteReplica(): Promise<void>;
  stop(): Promise<void>;
}

/** @param isSynchronous a commit is acknowledged once the replica has it */
export async function startReplicatedDatabase(isSynchronous: boolean): Promise<ReplicatedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-replicated-'));
  chmodSync(folder, 0o755); // as root the servers run under another account, which has to enter
  const closing: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closing.reverse()) await close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const first = await startServer(folder, 'primary');
    await first.stop();
    copyForReplica(first.dataDir, join(folder, REPLICA));
    const primary = await startServer(folder, 'primary');
    closing.push(() => primary.stop());
    const wal = await startDatabaseProxy(primary.url);
    closing.push(() => wal.stop());
    const replica = await startReplica(folder, wal);
    closing.push(() => replica.stop());
    const services = await startDatabaseProxy(primary.url);
    closing.push(() => services.stop());
    let pool = openPool(primary.url);
    closing.push(() => pool.end());
    const onReplica = openPool(replica.url);
    closing.push(() => onReplica.end());
    const query: ReplicatedDatabase['query'] = async (sql, values) => (await pool.query(sql, values)).rows;
    const countReceivers = async () =>
      (await query(`SELECT FROM pg_stat_replication WHERE state = 'streaming'`)).length;
    await waitUntil(async () => (await countReceivers()) === 1, { what: 'the replica', timeoutMs: TIMEOUT_MS });
    if (isSynchronous) {
      await query(`ALTER SYSTEM SET synchronous_standby_names = '${REPLICA}'`);
      await query('SELECT pg_reload_conf()');
    }
    return {
      url: nameBoth(services.url, replica.url),
      services,
      query,
      awaitReplica: async () => {
        const [now] = await query<{ lsn: string }>('SELECT pg_current_wal_lsn()::text AS lsn');
        const hasReplayed = async () => {
          const { rows } = await onReplica.query('SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS is_there', [
            now?.lsn,
          ]);
          return rows[0]?.is_there === true;
        };
        await waitUntil(hasReplayed, { what: 'the replica to catch up', timeoutMs: TIMEOUT_MS });
      },
      cutReplication: async () => {
        wal.cut();
        await waitUntil(async () => (await countReceivers()) === 0, { what: 'the cut', timeoutMs: TIMEOUT_MS });
      },
      killPrimary: () => killServer(primary),
      promoteReplica: async () => {
        await onReplica.query('SELECT pg_promote(true, 60)');
        await pool.end();
        pool = openPool(replica.url);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startServer(folder: string, name: string, settings: Record<string, string> = {}): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    dataDir: join(folder, name),
    durable: false,
    maxConnections: 300,
    settings: { synchronous_commit: 'on', wal_keep_size: '1GB', ...settings },
  });
}

/** Copies the files of the stopped primary; the copy follows the primary's WAL from there. */
function copyForReplica(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const signal = join(to, 'standby.signal');
  writeFileSync(signal, '');
  const { uid, gid } = statSync(to);
  chownSync(signal, uid, gid);
}

function startReplica(folder: string, wal: DatabaseProxy): Promise<EmbeddedPostgres> {
  const { hostname, port, username, password } = new URL(wal.url);
  const parts = { host: hostname, port, user: username, password, application_name: REPLICA };
  const primaryConninfo = Object.entries(parts)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
  return startServer(folder, REPLICA, { primary_conninfo: primaryConninfo });
}

function nameBoth(first: string, second: string): string {
  const url = new URL(first);
  const { hostname, port } = new URL(second);
  const hosts = `${url.host},${hostname}:${port}`;
  return `${url.protocol}//${url.username}:${url.password}@${hosts}${url.pathname}?target_session_attrs=read-write`;
}

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on('error', () => undefined); // the test kills the server
  return pool;
}

async function killServer({ dataDir, exited }: EmbeddedPostgres): Promise<void> {
  const pid = Number.parseInt(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8'), 10);
  // Stopped first, because it starts further processes.
  process.kill(pid, 'SIGSTOP');
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  for (const child of stdout
    .split('\n')
    .map(Number)
    .filter((id) => id > 0))
    kill(child);
  kill(pid);
  await exited;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
