import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, elapsed, systemClock } from '@tollgate/runtime';
import pg from 'pg';
import { createClient } from './client.js';
import { hasCode, LOCK_NOT_AVAILABLE, UNDEFINED_TABLE } from './error-codes.js';
import { MigrationError, type MigrationFile, readMigrations } from './migration-files.js';

export interface MigrateOptions {
  url: string;
  /** Created when missing. */
  schema: string;
  /** The folder that holds `<time stamp>_<name>/migration.sql`: a path or a `file:` URL. */
  directory: string | URL;
  /** How long to wait for another process that is migrating, which may build the index of a large table. Default 30 min. */
  lockTimeoutMs?: number;
  /** How long a migration is tried again while other sessions hold the locks of its tables. Default 5 min. */
  retryForMs?: number;
  /** Called after an attempt that got no lock. */
  onLocked?: (name: string) => void;
  /** Ends the pause between two attempts, and throws. */
  signal?: AbortSignal | undefined;
}

export interface MigrateResult {
  /** Names applied or recorded by this call, in order; empty when the schema was up to date. */
  applied: string[];
}

/** The key of the advisory lock that the Prisma CLI takes while it migrates: CLI and services exclude each other. */
const PRISMA_MIGRATE_LOCK = 72707369;
/** Every later statement on a table waits behind a migration that waits for it: less than the ledger's writers grant a row. */
const TABLE_LOCK_TIMEOUT_MS = 100;
const RETRY_PAUSE = { minMs: 100, maxMs: 5_000 };

/**
 * Brings a schema up to date: every unapplied migration in order, each in its own transaction together with its record
 * in `_prisma_migrations`, the table of the stock Prisma CLI. Requests never wait long behind a migration: it gives up a lock
 * that it does not get at once, and tries again. A file whose first line is `-- no transaction` builds or drops one index with
 * CONCURRENTLY. A file that replaces earlier ones is only recorded where they were applied. Safe to call from many replicas at
 * the same time. A schema that is up to date costs one query and waits for no other process.
 *
 * @throws MigrationError when an applied file was changed afterwards, a migration started by the CLI is unfinished, or some of
 *   the earlier migrations that a file replaces were not applied.
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  const { url, schema, directory, lockTimeoutMs = 30 * 60_000 } = options;
  const files = await readMigrations(directory);
  const connection = await createClient({ url, schema, applicationName: `${schema} migrate`, statementTimeoutMs: 0 });
  const { client } = connection;
  try {
    // Asked without the lock: a difference is judged again under it, because another process may be migrating.
    if (listPending(files, await readRecords(client)).length === 0) return { applied: [] };
    await acquireLock(client, lockTimeoutMs);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${pg.escapeIdentifier(schema)}; ${RECORDS_TABLE}`);
    const records = await readRecords(client);
    const pending = listPending(files, records);
    for (const file of pending) refuseContradiction(file, records.get(file.name));
    for (const file of pending) {
      if (isReplacement(file, records)) await recordMigration(client, file, systemClock.now());
      else await applyWhenUnlocked(client, file, options);
    }
    return { applied: pending.map(({ name }) => name) };
  } finally {
    await connection.end(); // releases the lock
  }
}

/**
 * Polls instead of blocking in the server: a blocked `pg_advisory_lock` holds a snapshot, and a migration that builds an
 * index concurrently would wait for that snapshot, which waits for the lock.
 */
async function acquireLock(client: pg.Client, timeoutMs: number): Promise<void> {
  const deadline = elapsed() + timeoutMs;
  for (;;) {
    const { rows } = await client.query<{ ok: boolean }>('SELECT pg_try_advisory_lock($1) AS ok', [
      PRISMA_MIGRATE_LOCK,
    ]);
    if (rows[0]?.ok) return;
    if (elapsed() > deadline) {
      throw new MigrationError(`Another process has been migrating this database for more than ${timeoutMs} ms`);
    }
    await sleep(20 + Math.random() * 60);
  }
}

type Records = Map<string, { migration_name: string; checksum: string; finished_at: Date | null }>;

async function readRecords(client: pg.Client): Promise<Records> {
  const sql = 'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL';
  const { rows } = await client.query(sql).catch((error: { code?: unknown }) => {
    if (hasCode(error, UNDEFINED_TABLE)) return { rows: [] };
    throw error;
  });
  return new Map(rows.map((row) => [row.migration_name, row]));
}

/** Ignores records without a file: during a rollout an older replica may start after a newer one has migrated. */
function listPending(files: MigrationFile[], records: Records): MigrationFile[] {
  return files.filter(({ name, checksum }) => {
    const record = records.get(name);
    return !record?.finished_at || record.checksum !== checksum;
  });
}

function refuseContradiction({ name }: MigrationFile, record: { finished_at: Date | null } | undefined): void {
  if (!record) return;
  const how = record.finished_at
    ? 'was changed after it had been applied. Restore the file and add a new migration instead.'
    : 'was started and did not finish. Repair the schema, then mark it with `tollgate-prisma migrate resolve`.';
  throw new MigrationError(`Migration ${name} ${how}`);
}

/** Returns whether the schema has all migrations that the file replaces. */
function isReplacement({ name, replaces, replacesUntil }: MigrationFile, records: Records): boolean {
  const missing = replaces.filter((replaced) => !records.get(replaced)?.finished_at);
  if (missing.length === replaces.length) return false;
  if (missing.length === 0) return true;
  throw new MigrationError(
    `Migration ${name} replaces earlier ones, of which ${missing[0]} was not applied. Run ${replacesUntil} first, which has them.`,
  );
}

/** Tries again, with pauses in which requests run, while a reader such as pg_dump holds a table that the migration changes. */
async function applyWhenUnlocked(client: pg.Client, file: MigrationFile, options: MigrateOptions): Promise<void> {
  const deadline = elapsed() + (options.retryForMs ?? 300_000);
  for (let failures = 1; ; failures++) {
    try {
      return await (file.index === undefined ? apply(client, file) : applyIndex(client, file, file.index));
    } catch (error) {
      const isLocked = hasCode(error, LOCK_NOT_AVAILABLE);
      if (!isLocked || elapsed() >= deadline) {
        throw new MigrationError(`Migration ${file.name} failed: ${(error as Error).message}`, { cause: error });
      }
      options.onLocked?.(file.name);
      await sleep(backoffMs(failures, RETRY_PAUSE), undefined, { signal: options.signal });
    }
  }
}

async function apply(client: pg.Client, file: MigrationFile): Promise<void> {
  const startedAt = systemClock.now();
  await client.query(`BEGIN; SET LOCAL lock_timeout = ${TABLE_LOCK_TIMEOUT_MS}`);
  try {
    await client.query(file.sql);
    await recordMigration(client, file, startedAt);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Outside of a transaction. A build that failed leaves an invalid index, which is dropped first, so that it is built again. */
async function applyIndex(client: pg.Client, file: MigrationFile, index: string): Promise<void> {
  const startedAt = systemClock.now();
  const sql = 'SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid';
  const invalid = await client.query(sql, [index]);
  if (invalid.rowCount) await client.query(`DROP INDEX CONCURRENTLY ${index}`);
  await client.query(file.sql);
  await recordMigration(client, file, startedAt);
}

async function recordMigration(client: pg.Client, file: MigrationFile, startedAt: Date): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
     VALUES ($1, $2, clock_timestamp(), $3, $4, 1)`,
    [randomUUID(), file.checksum, file.name, startedAt],
  );
}

/** The same columns as the Prisma CLI creates. */
const RECORDS_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz, migration_name varchar(255) NOT NULL,
  logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(),
  applied_steps_count integer NOT NULL DEFAULT 0)`;
