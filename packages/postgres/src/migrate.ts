import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, elapsed, systemClock } from '@tollgate/runtime';
import pg from 'pg';
import { createClient } from './client.js';
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
  /** Names applied by this call, in order; empty when the schema was up to date. */
  applied: string[];
}

/** The key of the advisory lock that the Prisma CLI takes while it migrates: CLI and services exclude each other. */
const prismaMigrateLock = 72707369;

const UNDEFINED_TABLE = '42P01';
const LOCK_NOT_AVAILABLE = '55P03';
/**
 * How long a migration waits for a table that others use. Every later statement on the table waits behind it, so this is
 * less than the ledger's writers grant a row.
 */
const TABLE_LOCK_TIMEOUT_MS = 100;
const RETRY_FOR_MS = 300_000;
const RETRY_PAUSE = { minMs: 100, maxMs: 5_000 };

/** One index build after comment lines. The name is as in the statement, with its quotes. */
const INDEX_BUILD =
  /^(?:--[^\n]*\n|\s)*CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+IF\s+NOT\s+EXISTS\s+("[^"]+"|\w+)[^;]*;\s*$/i;

/**
 * Brings a schema up to date: every unapplied migration in order, each in its own transaction together with its record
 * in `_prisma_migrations`, the table of the stock Prisma CLI. Requests never wait long behind a migration: it gives up a lock
 * that it does not get at once, and tries again. A file whose first line is `-- no transaction` builds one
 * index with CREATE INDEX CONCURRENTLY IF NOT EXISTS outside a transaction. Safe to call from many replicas at the same time.
 * A schema that is up to date costs one query and waits for no other process.
 *
 * @throws MigrationError when an applied file was changed afterwards, or a migration started by the CLI is unfinished.
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  const files = await readMigrations(options.directory);
  const connection = await createClient({
    url: options.url,
    schema: options.schema,
    applicationName: `${options.schema} migrate`,
    statementTimeoutMs: 0,
  });
  try {
    if (await isUpToDate(connection.client, files)) return { applied: [] };
    await acquireLock(connection.client, options.lockTimeoutMs ?? 30 * 60_000);
    await connection.client.query(`CREATE SCHEMA IF NOT EXISTS ${pg.escapeIdentifier(options.schema)}`);
    await connection.client.query(recordsTable);
    const pending = pendingMigrations(files, await readRecords(connection.client));
    for (const file of pending) {
      if (file.isInTransaction) await applyWhenUnlocked(connection.client, file, options);
      else await applyIndex(connection.client, file);
    }
    return { applied: pending.map((file) => file.name) };
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
    const result = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      prismaMigrateLock,
    ]);
    if (result.rows[0]?.locked) return;
    if (elapsed() > deadline) {
      throw new MigrationError(`Another process has been migrating this database for more than ${timeoutMs} ms`);
    }
    await sleep(20 + Math.random() * 60);
  }
}

interface MigrationRecord {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

async function readRecords(client: pg.Client): Promise<MigrationRecord[]> {
  const result = await client.query<MigrationRecord>(
    'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
  return result.rows;
}

/** Asks without the lock. A difference is judged again under the lock, because another process may be migrating. */
async function isUpToDate(client: pg.Client, files: readonly MigrationFile[]): Promise<boolean> {
  try {
    const byName = new Map((await readRecords(client)).map((record) => [record.migration_name, record]));
    return files.every(({ name, checksum }) => {
      const record = byName.get(name);
      return record?.finished_at && record.checksum === checksum;
    });
  } catch (error) {
    if ((error as { code?: unknown }).code === UNDEFINED_TABLE) return false;
    throw error;
  }
}

/** Ignores records without a file: during a rollout an older replica may start after a newer one has migrated. */
function pendingMigrations(files: MigrationFile[], records: MigrationRecord[]): MigrationFile[] {
  const byName = new Map(records.map((record) => [record.migration_name, record]));
  return files.filter((file) => {
    const record = byName.get(file.name);
    if (!record) return true;
    if (!record.finished_at) {
      throw new MigrationError(
        `Migration ${file.name} was started and did not finish. Repair the schema, then mark it with ` +
          '`tollgate-prisma migrate resolve`.',
      );
    }
    if (record.checksum !== file.checksum) {
      throw new MigrationError(
        `Migration ${file.name} was changed after it had been applied. Restore the file and add a new migration instead.`,
      );
    }
    return false;
  });
}

/** Tries again, with pauses in which requests run, while a reader such as pg_dump holds a table that the migration changes. */
async function applyWhenUnlocked(
  client: pg.Client,
  file: MigrationFile,
  { retryForMs = RETRY_FOR_MS, onLocked, signal }: MigrateOptions,
): Promise<void> {
  const deadline = elapsed() + retryForMs;
  for (let failures = 1; ; failures++) {
    try {
      return await apply(client, file);
    } catch (error) {
      const isLocked = ((error as MigrationError).cause as { code?: unknown }).code === LOCK_NOT_AVAILABLE;
      if (!isLocked || elapsed() >= deadline) throw error;
      onLocked?.(file.name);
      await sleep(backoffMs(failures, RETRY_PAUSE), undefined, { signal });
    }
  }
}

async function apply(client: pg.Client, file: MigrationFile): Promise<void> {
  const startedAt = systemClock.now();
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = ${TABLE_LOCK_TIMEOUT_MS}`);
    await client.query(file.sql);
    await recordMigration(client, file, startedAt);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw new MigrationError(`Migration ${file.name} failed: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Builds an index without blocking writes, which cannot run in a transaction. A build that failed leaves an invalid index,
 * which is dropped first, so that the next attempt builds it again.
 */
async function applyIndex(client: pg.Client, file: MigrationFile): Promise<void> {
  const index = INDEX_BUILD.exec(file.sql)?.[1];
  if (index === undefined) {
    throw new MigrationError(
      `Migration ${file.name} has no transaction: it must hold CREATE INDEX CONCURRENTLY IF NOT EXISTS and nothing else`,
    );
  }
  const startedAt = systemClock.now();
  try {
    const invalid = await client.query('SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid', [
      index,
    ]);
    if (invalid.rowCount) await client.query(`DROP INDEX CONCURRENTLY ${index}`);
    await client.query(file.sql);
    await recordMigration(client, file, startedAt);
  } catch (error) {
    throw new MigrationError(`Migration ${file.name} failed: ${(error as Error).message}`, { cause: error });
  }
}

async function recordMigration(client: pg.Client, file: MigrationFile, startedAt: Date): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
     VALUES ($1, $2, clock_timestamp(), $3, $4, 1)`,
    [randomUUID(), file.checksum, file.name, startedAt],
  );
}

/** The same columns as the Prisma CLI creates. */
const recordsTable = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                  VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum            VARCHAR(64) NOT NULL,
    finished_at         TIMESTAMPTZ,
    migration_name      VARCHAR(255) NOT NULL,
    logs                TEXT,
    rolled_back_at      TIMESTAMPTZ,
    started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;
