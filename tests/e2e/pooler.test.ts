// PgBouncer between the services and PostgreSQL, as deploy/databases.md documents it, and the refusals of other settings.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { createPool, emptyDatabase } from '@tollgate/postgres';
import { freePort } from '@tollgate/runtime/free-port';
import { type ApiClient, responsesBody, runBody, waitUntil } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import pg from 'pg';
import { must, SANDBOX_MODEL, startSystem } from '../system/start-system.js';

const TEST_MS = 600_000;
/** The documented settings. */
const SESSION_MODE = { pool_mode: 'session', ignore_startup_parameters: 'options' };

interface Pooler {
  url: string;
  stop(): Promise<void>;
}

async function startPooler(program: string, databaseUrl: string, settings: Record<string, string>): Promise<Pooler> {
  const { hostname, port, pathname, username, password } = new URL(databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-pooler-'));
  chmodSync(folder, 0o755); // as root the pooler runs under another account, which has to enter
  const listenPort = await freePort();
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(listenPort),
    unix_socket_dir: '',
    auth_type: 'any',
    max_client_conn: '1000',
    default_pool_size: '200',
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const target = `host=${hostname} port=${port} user=${username} password=${password}`;
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, ['[databases]', `* = ${target}`, '[pgbouncer]', ...lines, ''].join('\n'));
  const account = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(program, [...account, file], { stdio: 'ignore' });
  const url = `postgresql://tollgate@127.0.0.1:${listenPort}${pathname}`;
  await waitUntil(() => answers(url), { what: 'PgBouncer', timeoutMs: 30_000 });
  return {
    url,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function expectRunSucceeds(api: ApiClient): Promise<void> {
  const input = { request: responsesBody('hello', { model: SANDBOX_MODEL }) };
  const spec = { nodes: [{ id: 'a', type: 'llm.responses', input }], outputs: [{ name: 'answer', from: 'a' }] };
  const { run_id: runId } = must(await api.post('/runs', runBody('', spec)), 200);
  const events = await api.ndjson(`/runs/${runId}/events`).then((stream) => stream.all());
  expect(events.at(-1)).toMatchObject({ type: 'run_completed' });
}

describeWith('PGBOUNCER', 'PgBouncer', (program) => {
  it(
    'serves the whole system in session mode, from an empty database on',
    async () => {
      const database = await emptyDatabase('pooler');
      const pooler = await startPooler(program, database.url, SESSION_MODE);
      const system = await startSystem({ mode: 'one process', database, env: { DATABASE_URL: pooler.url } });
      try {
        const project = await system.project();
        must(await project.api.post('/responses', responsesBody('hello', { model: SANDBOX_MODEL })), 200);
        await expectRunSucceeds(project.api);
        expect(await project.verify()).toMatchObject({ differences: [] });
        // The settings of a session reach it: otherwise the tables of all services would be in this schema.
        expect(await system.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
      } finally {
        await system.stop();
        await pooler.stop();
      }
    },
    TEST_MS,
  );

  it.each([
    ['transaction', { ...SESSION_MODE, pool_mode: 'transaction' }, 'use pool_mode = session'],
    ['statement', { ...SESSION_MODE, pool_mode: 'statement' }, 'use pool_mode = session'],
    ['session', { pool_mode: 'session' }, 'set ignore_startup_parameters = options'],
  ])('refuses %s mode with %j and names the remedy', async (_, settings, remedy) => {
    const database = await emptyDatabase('pooler');
    const pooler = await startPooler(program, database.url, settings);
    const pool = createPool({ url: pooler.url, schema: 'public' });
    try {
      await expect(pool.query('SELECT 1')).rejects.toThrow(remedy);
    } finally {
      await pool.end();
      await pooler.stop();
      await database.drop();
    }
  });
});
