import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { migrate } from './migrate.js';
import { createPool } from './pool.js';
import { type TestDatabase, testDatabase } from './test-database.js';

let database: TestDatabase;
let directory: string;
let schema: string;

beforeAll(async () => {
  database = await testDatabase(import.meta.url);
});

afterAll(async () => {
  await database.drop();
});

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-migrations-'));
  schema = `m_${randomUUID().replaceAll('-', '')}`;
});

afterEach(async () => {
  rmSync(directory, { recursive: true });
  await database.pool.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
});

function addMigration(name: string, sql: string): void {
  mkdirSync(join(directory, name));
  writeFileSync(join(directory, name, 'migration.sql'), sql);
}

function run() {
  return migrate({ url: database.url, schema, directory });
}

describe('migrate', () => {
  it('applies pending migrations in the order of their names, once', async () => {
    addMigration('20250102000000_second', 'ALTER TABLE thing ADD COLUMN note text;');
    addMigration('20250101000000_first', 'CREATE TABLE thing (id int); INSERT INTO thing VALUES (1);');
    expect((await run()).applied).toEqual(['20250101000000_first', '20250102000000_second']);
    expect((await run()).applied).toEqual([]);
    const rows = await database.pool.query(`SELECT id, note FROM "${schema}".thing`);
    expect(rows.rows).toEqual([{ id: 1, note: null }]);
  });

  it('applies each migration once when many replicas start together', async () => {
    addMigration('20250101000000_first', 'CREATE TABLE thing (id int); INSERT INTO thing VALUES (1);');
    const results = await Promise.all(Array.from({ length: 6 }, run));
    expect(results.flatMap((result) => result.applied)).toEqual(['20250101000000_first']);
    const rows = await database.pool.query(`SELECT count(*)::int AS n FROM "${schema}".thing`);
    expect(rows.rows).toEqual([{ n: 1 }]);
  });

  it('lets requests run while a reader keeps it from changing a table, and applies the change after the reader', async () => {
    addMigration('20250101000000_first', 'CREATE TABLE thing (id int);');
    await run();
    addMigration('20250102000000_second', 'ALTER TABLE thing ADD COLUMN note text;');
    const reader = await database.pool.connect();
    await reader.query(`BEGIN; LOCK TABLE "${schema}".thing IN ACCESS SHARE MODE`);
    const writer = createPool({ url: database.url, schema, lockTimeoutMs: 2_000 });
    let attempts = 0;
    const onLocked = () => {
      attempts += 1;
    };
    const applied = migrate({ url: database.url, schema, directory, onLocked });
    while (attempts < 3) await writer.query('INSERT INTO thing VALUES (1)');
    await reader.query('COMMIT');
    reader.release();
    expect((await applied).applied).toEqual(['20250102000000_second']);
    await writer.end();
  });

  it('fails with the lock as its reason when the reader does not end', async () => {
    addMigration('20250101000000_first', 'CREATE TABLE thing (id int);');
    await run();
    addMigration('20250102000000_second', 'ALTER TABLE thing ADD COLUMN note text;');
    const reader = await database.pool.connect();
    await reader.query(`BEGIN; LOCK TABLE "${schema}".thing IN ACCESS SHARE MODE`);
    await expect(migrate({ url: database.url, schema, directory, retryForMs: 0 })).rejects.toThrow('lock timeout');
    await reader.query('COMMIT');
    reader.release();
    expect((await run()).applied).toEqual(['20250102000000_second']);
  });

  it('does not wait for a process that is migrating when the schema is up to date', async () => {
    addMigration('20250101000000_first', 'CREATE TABLE thing (id int);');
    await run();
    const other = await database.pool.connect();
    await other.query('SELECT pg_advisory_lock(72707369)');
    try {
      expect((await migrate({ url: database.url, schema, directory, lockTimeoutMs: 0 })).applied).toEqual([]);
      addMigration('20250102000000_second', 'ALTER TABLE thing ADD COLUMN note text;');
      const waiting = migrate({ url: database.url, schema, directory, lockTimeoutMs: 0 });
      await expect(waiting).rejects.toThrow('Another process has been migrating this database');
    } finally {
      await other.query('SELECT pg_advisory_unlock(72707369)');
      other.release();
    }
  });

  it('rolls back a migration that fails, and names it', async () => {
    addMigration('20250101000000_broken', 'CREATE TABLE thing (id int); SELECT 1 / 0;');
    await expect(run()).rejects.toThrow(/20250101000000_broken failed: division by zero/);
    const tables = await database.pool.query('SELECT to_regclass($1) AS thing', [`${schema}.thing`]);
    expect(tables.rows).toEqual([{ thing: null }]);
    const records = await database.pool.query(`SELECT 1 FROM "${schema}"._prisma_migrations`);
    expect(records.rowCount).toBe(0);
  });

  it('rejects an applied migration that was changed', async () => {
    addMigration('20250101000000_first', 'CREATE TABLE thing (id int);');
    await run();
    appendFileSync(join(directory, '20250101000000_first', 'migration.sql'), '-- edited\n');
    await expect(run()).rejects.toThrow(/20250101000000_first was changed after it had been applied/);
  });

  it('rejects an unfinished migration of the Prisma CLI', async () => {
    addMigration('20250101000000_first', 'CREATE TABLE thing (id int);');
    await run();
    await database.pool.query(`UPDATE "${schema}"._prisma_migrations SET finished_at = NULL`);
    await expect(run()).rejects.toThrow(/20250101000000_first was started and did not finish/);
  });

  describe('with a migration that replaces earlier ones', () => {
    const initial =
      '-- upgrade through 0.1.7\n-- replaces 20250101000000_first\n-- replaces 20250102000000_second\n' +
      'CREATE TABLE thing (id int, note text);';

    beforeEach(() => addMigration('20250101000000_first', 'CREATE TABLE thing (id int);'));

    function squash(): void {
      rmSync(directory, { recursive: true });
      mkdirSync(directory);
      addMigration('20250103000000_initial', initial);
      addMigration('20250104000000_next', 'ALTER TABLE thing ADD COLUMN size int;');
    }

    it('applies it to an empty schema', async () => {
      squash();
      expect((await run()).applied).toEqual(['20250103000000_initial', '20250104000000_next']);
    });

    it('records it in a schema with all earlier migrations, and applies the rest', async () => {
      addMigration('20250102000000_second', 'ALTER TABLE thing ADD COLUMN note text;');
      await run();
      squash();
      expect((await run()).applied).toEqual(['20250103000000_initial', '20250104000000_next']);
      await database.pool.query(`SELECT id, note, size FROM "${schema}".thing`);
      expect((await run()).applied).toEqual([]);
    });

    it('refuses a schema with some of them, naming the version that has all', async () => {
      await run();
      squash();
      await expect(run()).rejects.toThrow(/20250102000000_second was not applied. Run 0.1.7 first/);
    });
  });

  it('lets an older replica start after a newer one migrated', async () => {
    addMigration('20250101000000_first', 'CREATE TABLE thing (id int);');
    addMigration('20250102000000_newer', 'ALTER TABLE thing ADD COLUMN note text;');
    await run();
    rmSync(join(directory, '20250102000000_newer'), { recursive: true });
    expect((await run()).applied).toEqual([]);
  });

  describe('without a transaction', () => {
    const build = '-- no transaction\n-- Why.\nCREATE INDEX CONCURRENTLY IF NOT EXISTS thing_id_idx ON thing (id);\n';
    const isValid = async () =>
      (
        await database.pool.query('SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)', [
          `${schema}.thing_id_idx`,
        ])
      ).rows;

    beforeEach(() =>
      addMigration('20250101000000_first', 'CREATE TABLE thing (id int); INSERT INTO thing VALUES (1), (1);'),
    );

    it('builds an index concurrently, once, on many replicas that start together', async () => {
      addMigration('20250102000000_index', build);
      const results = await Promise.all(Array.from({ length: 4 }, run));
      expect(results.flatMap(({ applied }) => applied).sort()).toEqual([
        '20250101000000_first',
        '20250102000000_index',
      ]);
      expect(await isValid()).toEqual([{ indisvalid: true }]);
    });

    it('builds the index again that a failed attempt left invalid', async () => {
      addMigration('20250102000000_index', build.replace('CREATE INDEX', 'CREATE UNIQUE INDEX'));
      await expect(run()).rejects.toThrow(/20250102000000_index failed: could not create unique index/);
      expect(await isValid()).toEqual([{ indisvalid: false }]);
      await database.pool.query(`DELETE FROM "${schema}".thing WHERE ctid = '(0,1)'`);
      expect((await run()).applied).toEqual(['20250102000000_index']);
      expect(await isValid()).toEqual([{ indisvalid: true }]);
    });

    it('drops an index concurrently', async () => {
      addMigration('20250102000000_index', build);
      await run();
      addMigration('20250103000000_drop', '-- no transaction\nDROP INDEX CONCURRENTLY IF EXISTS thing_id_idx;\n');
      expect((await run()).applied).toEqual(['20250103000000_drop']);
      expect(await isValid()).toEqual([]);
    });

    it('records an index whose build finished before its process died', async () => {
      await run();
      await database.pool.query(`CREATE INDEX thing_id_idx ON "${schema}".thing (id)`);
      addMigration('20250102000000_index', build);
      expect((await run()).applied).toEqual(['20250102000000_index']);
      expect((await run()).applied).toEqual([]);
    });

    it.each([
      ['a second statement', `${build}SELECT 1;`],
      ['another statement', '-- no transaction\nALTER TABLE thing ADD COLUMN note text;'],
      ['an index that may exist', build.replace('IF NOT EXISTS ', '')],
    ])('rejects %s', async (_, sql) => {
      addMigration('20250102000000_index', sql);
      await expect(run()).rejects.toThrow(/20250102000000_index has no transaction: it must hold/);
    });
  });
});
