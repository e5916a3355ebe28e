// Each migration runs beside a reader that keeps every table, as pg_dump does, and beside writers that must not wait for it.
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPool, migrate, type Pool, type TestDatabase, testDatabase } from '@tollgate/postgres';

const ROOT = fileURLToPath(new URL('../../services', import.meta.url));
/** A writer that waits behind a migration waits for the reader, which ends only after the writer. */
const WRITER_LOCK_TIMEOUT_MS = 20_000;
/** Enough for a migration without conflicting locks to be applied in the meantime, or to wait for the reader by itself. */
const ROUNDS_MAX = 3;

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await testDatabase(import.meta.url);
});
afterAll(() => database.drop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-migrations-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const services = readdirSync(ROOT).map((service) => ({ service, directory: join(ROOT, service, 'prisma/migrations') }));

async function listTables(pool: Pool, schema: string): Promise<string[]> {
  const sql = `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname = $1 AND tablename <> '_prisma_migrations'`;
  return (await pool.query<{ name: string }>(sql, [schema])).rows.map(({ name }) => name);
}

/** Takes the lock of a writer on each table, one after the other. */
async function writeEach(pool: Pool, tables: readonly string[]): Promise<void> {
  for (const table of tables) await pool.query(`BEGIN; LOCK TABLE ${table} IN ROW EXCLUSIVE MODE; COMMIT`);
}

describe.each(services)('the migrations of $service', ({ service, directory }) => {
  it('lets writers continue while a reader keeps a migration waiting', async () => {
    const schema = `${database.schema}_${service.replaceAll('-', '_')}`;
    const names = readdirSync(directory).filter((name) => /^\d{14}_/.test(name));
    const writer = createPool({ url: database.url, schema, max: 1, lockTimeoutMs: WRITER_LOCK_TIMEOUT_MS });
    const reader = await database.pool.connect();
    for (const name of names.sort()) {
      cpSync(join(directory, name), join(folder, name), { recursive: true });
      const tables = await listTables(database.pool, schema);
      await reader.query('BEGIN');
      for (const table of tables) await reader.query(`LOCK TABLE ${table} IN ACCESS SHARE MODE`);
      let isSettled = false;
      let hasWaited = false;
      const onLocked = () => {
        hasWaited = true;
      };
      const applying = migrate({ url: database.url, schema, directory: folder, onLocked }).finally(() => {
        isSettled = true;
      });
      for (let round = 0; round < ROUNDS_MAX && !hasWaited && !isSettled; round++) await writeEach(writer, tables);
      await reader.query('COMMIT');
      expect((await applying).applied).toEqual([name]);
    }
    reader.release();
    await writer.end();
    await database.pool.query(`DROP SCHEMA ${schema} CASCADE`);
  });
});
