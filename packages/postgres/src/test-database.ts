import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import pg from 'pg';
import { readTestServerUrl } from './config.js';
import { migrate } from './migrate.js';
import { createPool } from './pool.js';

export interface TestDatabase {
  url: string;
  schema: string;
  pool: pg.Pool;
  /** Collects statistics on the tables of this schema; a plain ANALYZE reads, and may lock, those of all other test files too. */
  analyze(): Promise<void>;
  /** Counts the connections of this schema that wait for a lock with a statement that contains `word`. */
  countLockWaits(word: string): Promise<number>;
  /** Ends the pool and removes everything; call it in `afterAll`. */
  drop(): Promise<void>;
}

/**
 * Creates a schema for one test file, on the server that `TEST_DATABASE_URL` names (set by the global set-up of the test
 * run). `name` is `import.meta.url` of the test file or any word. Applies `migrations` before it returns.
 */
export async function testDatabase(
  name: string,
  options: { migrations?: string | URL; max?: number; settings?: Record<string, string> } = {},
): Promise<TestDatabase> {
  const url = readTestServerUrl();
  const schema = uniqueName(name);
  if (options.migrations) await migrate({ url, schema, directory: options.migrations });
  else await runOnce(url, `CREATE SCHEMA ${schema}`);
  const pool = createPool({ url, schema, max: options.max ?? 10, settings: options.settings ?? {} });
  return {
    url,
    schema,
    pool,
    analyze: () => analyze(pool, schema),
    countLockWaits: (word) => countLockWaits(pool, schema, word),
    async drop() {
      await pool.end();
      await runOnce(url, `DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    },
  };
}

/**
 * Creates an empty database, or a copy of `template`: for tests that start several services, each with its usual schema
 * name. Slower than {@link testDatabase} (about 50 ms).
 */
export async function emptyDatabase(
  name: string,
  { template = 'template1' }: { template?: string } = {},
): Promise<{ url: string; drop(): Promise<void> }> {
  const server = readTestServerUrl();
  const database = uniqueName(name);
  await runOnce(server, `CREATE DATABASE ${database} TEMPLATE ${pg.escapeIdentifier(template)}`);
  const url = new URL(server);
  url.pathname = `/${database}`;
  return { url: url.href, drop: () => runOnce(server, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`) };
}

async function analyze(pool: pg.Pool, schema: string): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    'SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = $1',
    [schema],
  );
  for (const { name } of rows) await pool.query(`ANALYZE ${name}`);
}

/** Other test files run on the same server at the same time: their waits do not count. */
async function countLockWaits(pool: pg.Pool, schema: string, word: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE wait_event_type = 'Lock' AND starts_with(application_name, $1) AND strpos(query, $2) > 0`,
    [schema, word],
  );
  return rows[0]?.count ?? 0;
}

function uniqueName(name: string): string {
  const word = basename(name)
    .toLowerCase()
    .replace(/(\.db)?\.test\.[tj]s$/, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, 40);
  return `t_${word}_${randomBytes(5).toString('hex')}`;
}

async function runOnce(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
