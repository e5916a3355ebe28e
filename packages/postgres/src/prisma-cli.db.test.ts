import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { migrate } from './migrate.js';
import { createPool, type Pool } from './pool.js';
import { emptyDatabase } from './test-database.js';

const cli = fileURLToPath(new URL('../bin/prisma.mjs', import.meta.url));

const config = `
import { defineConfig } from 'prisma/config';
const url = process.env.DATABASE_URL;
export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  ...(url && { datasource: { url } }),
  experimental: { externalTables: true },
  tables: { external: [process.env.TRIAL_SCHEMA + '.outbox'] },
});`;

const schemaHead = `
generator client {
  provider            = "prisma-client"
  output              = "../generated"
  runtime             = "nodejs"
  moduleFormat        = "esm"
  importFileExtension = "js"
}
datasource db {
  provider = "postgresql"
}`;

const model = `
model Thing {
  id     String @id @db.Uuid
  amount BigInt
  @@map("thing")
}`;

const sql = `
CREATE TABLE "thing" ("id" UUID NOT NULL, "amount" BIGINT NOT NULL, CONSTRAINT "thing_pkey" PRIMARY KEY ("id"));
CREATE TABLE outbox (seq bigint, published_at timestamptz);
CREATE INDEX outbox_unpublished ON outbox (seq) WHERE published_at IS NULL;
DO $$ BEGIN PERFORM 1; PERFORM 2; END $$;
`;

/**
 * A database of its own: the CLI's lock is one for all schemas of a database. A build of an index in another schema would wait for the CLI,
 * which would wait for the lock of that migration.
 */
let database: { url: string; schema: string; pool: Pool; drop(): Promise<void> };
let project: string;

beforeEach(async () => {
  database = await openDatabase();
  // Inside the package, so that the trial project finds prisma; .cache is git-ignored.
  const base = fileURLToPath(new URL('../.cache', import.meta.url));
  mkdirSync(base, { recursive: true });
  project = mkdtempSync(join(base, 'prisma-trial-'));
  mkdirSync(join(project, 'prisma/migrations/20250101000000_init'), { recursive: true });
  writeFileSync(join(project, 'prisma.config.ts'), config);
  writeFileSync(join(project, 'prisma/migrations/migration_lock.toml'), 'provider = "postgresql"\n');
  writeFileSync(join(project, 'prisma/migrations/20250101000000_init/migration.sql'), sql);
  writeSchema(schemaHead + model);
});

afterEach(async () => {
  rmSync(project, { recursive: true });
  await database.drop();
});

async function openDatabase(): Promise<typeof database> {
  const { url, drop } = await emptyDatabase(import.meta.url);
  const pool = createPool({ url, schema: 'trial' });
  await pool.query('CREATE SCHEMA trial');
  const close = async () => {
    await pool.end();
    await drop();
  };
  return { url, schema: 'trial', pool, drop: close };
}

function addNote(): void {
  const folder = join(project, 'prisma/migrations/20250102000000_note');
  mkdirSync(folder);
  writeFileSync(join(folder, 'migration.sql'), 'ALTER TABLE "thing" ADD COLUMN "note" TEXT;\n');
}

function writeSchema(text: string): void {
  writeFileSync(join(project, 'prisma/schema.prisma'), text);
}

function prisma(args: string[], env: NodeJS.ProcessEnv) {
  const { DATABASE_URL: _, ...rest } = process.env;
  const result = spawnSync(process.execPath, [cli, ...args], {
    cwd: project,
    env: { ...rest, TRIAL_SCHEMA: database.schema, ...env },
    encoding: 'utf8',
  });
  return { code: result.status, output: `${result.stdout}${result.stderr}` };
}

function withDatabase(...args: string[]) {
  const url = new URL(database.url);
  url.searchParams.set('schema', database.schema);
  return prisma(args, { DATABASE_URL: url.href });
}

describe('tollgate-prisma', () => {
  it('generates a client without any database', () => {
    expect(prisma(['generate'], {})).toMatchObject({ code: 0 });
    expect(existsSync(join(project, 'generated/client.ts'))).toBe(true);
  });

  it('accepts the records of migrate(), and migrate() accepts its records', async () => {
    const options = { url: database.url, schema: database.schema, directory: join(project, 'prisma/migrations') };
    expect((await migrate(options)).applied).toEqual(['20250101000000_init']);
    const deploy = withDatabase('migrate', 'deploy');
    expect(deploy).toMatchObject({ code: 0, output: expect.stringContaining('No pending migrations') });

    addNote();
    expect(withDatabase('migrate', 'deploy').code).toBe(0);
    expect((await migrate(options)).applied).toEqual([]);
  });

  it('detects drift between the migrations and the schema, except in external tables', () => {
    addNote();
    const args = ['migrate', 'diff', '--from-migrations', 'prisma/migrations', '--to-schema', 'prisma/schema.prisma'];
    writeSchema(schemaHead + model.replace('amount BigInt', 'amount BigInt\n  note String?'));
    expect(withDatabase(...args, '--exit-code')).toMatchObject({ code: 0 });
    writeSchema(schemaHead + model.replace('amount BigInt', 'amount BigInt\n  note String'));
    expect(withDatabase(...args, '--exit-code')).toMatchObject({ code: 2 });
  });
});
