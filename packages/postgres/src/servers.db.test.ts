import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createClient } from './client.js';
import { type EmbeddedPostgres, removeEmbeddedPostgres, startEmbeddedPostgres } from './embedded/server.js';
import { type MovableLink, openMovableLink } from './movable-link.js';
import { createPool } from './pool.js';
import { withTransaction } from './transaction.js';

/** Two servers, of which a test makes the earlier primary read-only, as after a promotion. */
let servers: EmbeddedPostgres[];
let folder: string;
let link: MovableLink;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-servers-'));
  chmodSync(folder, 0o755); // as root the servers run under another account, which has to enter
  const start = (name: string) => startEmbeddedPostgres({ dataDir: join(folder, name), durable: false });
  servers = await Promise.all([start('first'), start('second')]);
  const { username, password } = new URL(toUrl(0));
  await runAt(toUrl(1), `ALTER ROLE ${username} PASSWORD '${password}'`);
  servers = servers.map((server) => ({
    ...server,
    url: `postgresql://${username}:${password}@127.0.0.1:${server.port}/postgres`,
  }));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  for (const { dataDir } of servers) removeEmbeddedPostgres(dataDir);
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  link = await openMovableLink(toUrl(0));
});
afterEach(async () => {
  await link.close();
  for (const index of [0, 1]) await setReadOnly(index, false);
});

const toUrl = (index: number): string => servers[index]?.url ?? '';

async function readPort(db: Pick<pg.ClientBase, 'query'>): Promise<number | undefined> {
  const { rows } = await db.query<{ port: number }>('SELECT inet_server_port() AS port');
  return rows[0]?.port;
}

async function runAt<Row extends pg.QueryResultRow>(url: string, ...statements: string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let rows: Row[] = [];
  for (const sql of statements) ({ rows } = await client.query<Row>(sql));
  await client.end();
  return rows;
}

/** Makes a server read-only for all sessions, as an operator does, or a managed database whose disk is full. */
async function setReadOnly(index: number, isReadOnly: boolean): Promise<void> {
  const value = isReadOnly ? 'on' : 'off';
  const alter = `ALTER SYSTEM SET default_transaction_read_only = ${value}`;
  await runAt(toUrl(index), 'SET default_transaction_read_only = off', alter, 'SELECT pg_reload_conf()');
  const hasChanged = async () => {
    const [row] = await runAt<{ default_transaction_read_only: string }>(
      toUrl(index),
      'SHOW default_transaction_read_only',
    );
    return row?.default_transaction_read_only === value;
  };
  while (!(await hasChanged()));
}

const options = () => ({ url: link.url, schema: 'public' });

describe('a session whose server becomes read-only', () => {
  it('ends although it is idle, so that its owner opens another one on the new primary', async () => {
    const listener = await createClient({ ...options(), statementTimeoutMs: 0 });
    await listener.client.query('LISTEN news');
    link.moveTo(toUrl(1));
    await setReadOnly(0, true);
    expect(await listener.lost).toMatchObject({ code: '25006' });
    const next = await createClient(options());
    expect(await readPort(next.client)).toBe(servers[1]?.port);
    await next.end();
  });

  it('leaves a pool after the first statement that fails, and the next one is on the new primary', async () => {
    const pool = createPool({ ...options(), max: 1 });
    await pool.query('SELECT 1');
    link.moveTo(toUrl(1));
    await setReadOnly(0, true);
    await expect(pool.query('CREATE TABLE refused (id int)')).rejects.toMatchObject({ code: '25006' });
    expect(await readPort(pool)).toBe(servers[1]?.port);
    await pool.end();
  });

  it('fails a transaction with the server’s error, and rolls it back', async () => {
    const pool = createPool({ ...options(), max: 1 });
    const attempt = withTransaction(pool, async (tx) => {
      await tx.query('SET TRANSACTION READ ONLY');
      await tx.query('CREATE TABLE refused (id int)');
    });
    await expect(attempt).rejects.toMatchObject({ code: '25006' });
    expect(await readPort(pool)).toBe(servers[0]?.port);
    await pool.end();
  });

  it('fails while no server accepts writes, with an error that callers may retry', async () => {
    await setReadOnly(0, true);
    const pool = createPool(options());
    await expect(pool.query('SELECT 1')).rejects.toMatchObject({ code: '25006' });
    await expect(createClient(options())).rejects.toMatchObject({ code: '25006' });
    await setReadOnly(0, false);
    expect(await readPort(pool)).toBe(servers[0]?.port);
    await pool.end();
  });
});

describe('a session whose packets are dropped', () => {
  it('fails a statement long before its limit, and frees its locks', async () => {
    const pool = createPool({ ...options(), max: 1 });
    const holder = await pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT pg_advisory_xact_lock(1)');
    link.forgetPackets();
    await expect(holder.query('SELECT 1')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    holder.release(true);
    const other = await createClient({ ...options(), lockTimeoutMs: 10_000 });
    await other.client.query('SELECT pg_advisory_lock(1)');
    await Promise.all([other.end(), pool.end()]);
  });

  it('ends although it is idle', async () => {
    const listener = await createClient({ ...options(), statementTimeoutMs: 0 });
    link.forgetPackets();
    expect(await listener.lost).toMatchObject({ code: 'ETIMEDOUT' });
  });

  it('keeps a statement that the server executes', async () => {
    const { client, isLost, end } = await createClient(options());
    await client.query('SELECT pg_sleep(5)');
    expect(isLost()).toBe(false);
    await end();
  });
});

describe('a URL with several hosts', () => {
  it('connects to the first host that accepts writes, and to another one when that changes', async () => {
    const hosts = `127.0.0.1:1,127.0.0.1:${servers[1]?.port},127.0.0.1:${servers[0]?.port}`;
    const { username, password } = new URL(toUrl(0));
    const url = `postgresql://${username}:${password}@${hosts}/postgres?target_session_attrs=read-write`;
    const pool = createPool({ url, schema: 'public' });
    expect(await readPort(pool)).toBe(servers[1]?.port);
    await setReadOnly(1, true);
    await expect(pool.query('CREATE TABLE refused (id int)')).rejects.toMatchObject({ code: '25006' });
    expect(await readPort(pool)).toBe(servers[0]?.port);
    await setReadOnly(0, true);
    await pool.end();
    // The host that was found last is tried first, unless the pool's session has seen the change.
    await expect(createClient({ url, schema: 'public' })).rejects.toThrow(/read-only/);
    await expect(createClient({ url, schema: 'public' })).rejects.toThrow(
      /^no host of DATABASE_URL accepts writes \(127.0.0.1:1: .*ECONNREFUSED.*; .*read-only\)$/,
    );
  });
});
