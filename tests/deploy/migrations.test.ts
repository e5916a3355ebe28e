// Each migration after the previous version has to run while that version serves: see deploy/upgrades.md.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { missingHistory, previousCommit } from '../upgrade/previous-version.js';
import { JUSTIFIED, judgeMigration, listTables } from './migration-rules.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Migration {
  service: string;
  name: string;
  sql: string;
}

describe('judgeMigration', () => {
  const existing = new Set(['holds']);

  it.each([
    ['ALTER TABLE holds DROP COLUMN terms', 'drops what'],
    ['DROP TABLE "holds"', 'drops what'],
    ['TRUNCATE holds', 'drops what'],
    ['DROP INDEX holds_idx', 'drops an index'],
    ['ALTER TABLE holds RENAME COLUMN a TO b', 'renames'],
    ['ALTER TABLE holds ALTER COLUMN a TYPE bigint', 'changes a type'],
    ['ALTER TABLE holds ALTER COLUMN a SET NOT NULL', 'rejects rows'],
    ['ALTER TABLE "holds" ADD COLUMN a int NOT NULL', 'adds a column'],
    ['ALTER TABLE holds ADD COLUMN b int, ADD a text NOT NULL, ADD c int NOT NULL DEFAULT 1', 'adds a column'],
    ['ALTER TABLE holds ADD COLUMN a uuid DEFAULT gen_random_uuid()', 'computes a default'],
    ['ALTER TABLE holds ADD CONSTRAINT c CHECK (a > 0)', 'checks all rows'],
    ['ALTER TABLE holds ADD CONSTRAINT c UNIQUE (a)', 'builds an index'],
    ['CREATE INDEX a_idx ON holds (a)', 'blocks writes'],
    ['CREATE UNIQUE INDEX IF NOT EXISTS a_idx ON "holds"("a")', 'blocks writes'],
    ['UPDATE holds SET a = 1', 'writes to rows'],
    ['DELETE FROM holds WHERE a = 1', 'writes to rows'],
    ['LOCK TABLE holds', 'locks'],
    ["SET LOCAL lock_timeout = '1min'", 'the runner sets it'],
    ['SET lock_timeout TO 0', 'the runner sets it'],
  ])('rejects %s', (sql, message) => {
    expect(judgeMigration(`-- a comment; with a semicolon\n${sql};`, existing)).toEqual([
      expect.stringContaining(message),
    ]);
  });

  it.each([
    'CREATE TABLE other (id int PRIMARY KEY, a int NOT NULL); CREATE INDEX o_idx ON other (a); ALTER TABLE other DROP COLUMN a',
    'ALTER TABLE holds ADD COLUMN a int, ADD COLUMN b numeric(10, 2) NOT NULL DEFAULT 0',
    'ALTER TABLE holds ALTER COLUMN a DROP NOT NULL',
    'ALTER TABLE holds ADD CONSTRAINT c CHECK (a > 0) NOT VALID',
    'ALTER TABLE holds VALIDATE CONSTRAINT c',
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS a_idx ON holds (a)',
    'CREATE OR REPLACE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM holds; DROP TABLE holds; END $$',
    'INSERT INTO holds VALUES (1)',
  ])('accepts %s', (sql) => {
    expect(judgeMigration(sql, existing)).toEqual([]);
  });
});

const missing = missingHistory();
if (missing !== undefined && process.env.CI !== 'true') it.skip(`needs the previous version: ${missing}`, () => {});
else describe('the set of migrations since the previous version', () => describeMigrations());

function describeMigrations(): void {
  const before = missing === undefined ? previousMigrations() : [];
  const now = currentMigrations();
  const key = ({ service, name }: Migration) => `${service}/${name}`;
  const added = now.filter((it) => !before.some((old) => key(old) === key(it)));

  it('needs the history of the previous version', () => expect(missing).toBeUndefined());

  it('keeps every earlier migration as it was, or replaces it', () => {
    const files = new Map(now.map((it) => [key(it), it.sql]));
    const replaced = new Set(now.flatMap((it) => listReplaced(it.sql).map((name) => key({ ...it, name }))));
    expect(before.filter((old) => !replaced.has(key(old)) && files.get(key(old)) !== old.sql).map(key)).toEqual([]);
  });

  it('expands only, and waits for no long lock', () => {
    const violations = added.flatMap((it) => {
      const tables = new Set(
        before.filter(({ service }) => service === it.service).flatMap(({ sql }) => listTables(sql)),
      );
      return judgeMigration(it.sql, tables).map((message) => `${key(it)}: ${message}`);
    });
    expect(violations).toEqual([]);
  });

  it('uses every justification', () => {
    const text = added.map(({ sql }) => sql).join('\n');
    expect(Object.keys(JUSTIFIED).filter((name) => !text.includes(name))).toEqual([]);
  });

  it('names each migration after the earlier ones of its service', () => {
    const last = (service: string) =>
      before
        .filter((it) => it.service === service)
        .map(({ name }) => name)
        .sort()
        .at(-1) ?? '';
    const isNew = ({ sql }: Migration) => listReplaced(sql).length === 0;
    expect(added.filter((it) => isNew(it) && it.name < last(it.service)).map(key)).toEqual([]);
  });
}

/** The earlier migrations that a migration stands for. */
function listReplaced(sql: string): string[] {
  return [...sql.matchAll(/^-- replaces (\S+)$/gm)].map(([, name = '']) => name);
}

function currentMigrations(): Migration[] {
  return readdirSync(join(ROOT, 'services')).flatMap((service) => {
    const directory = join(ROOT, 'services', service, 'prisma/migrations');
    return readdirSync(directory)
      .filter((name) => /^\d{14}_/.test(name))
      .map((name) => ({ service, name, sql: readFileSync(join(directory, name, 'migration.sql'), 'utf8') }));
  });
}

function previousMigrations(): Migration[] {
  const commit = previousCommit();
  const paths = git('ls-tree', '-r', '--name-only', commit, 'services').split('\n');
  return paths.flatMap((path) => {
    const [, service, name] =
      /^services\/([^/]+)\/(?:prisma\/)?migrations\/(\d{14}_[^/]+)\/migration\.sql$/.exec(path) ?? [];
    return service && name ? [{ service, name, sql: git('show', `${commit}:${path}`) }] : [];
  });
}

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}
