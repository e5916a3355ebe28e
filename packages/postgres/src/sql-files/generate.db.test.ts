import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '../test-database.js';
import { generateSqlModules } from './generate.js';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await testDatabase(import.meta.url);
  await database.pool.query(`
    CREATE TYPE mood AS ENUM ('good', 'bad');
    CREATE TABLE things (id uuid PRIMARY KEY, amount bigint NOT NULL, note text, ended_at timestamptz, feels mood NOT NULL,
      facts jsonb NOT NULL);
    CREATE TABLE parts (thing_id uuid NOT NULL, size int NOT NULL)`);
});
afterAll(() => database.drop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-statements-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function generate(text: string, path = 'things.sql'): Promise<string> {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
  const client = await database.pool.connect();
  try {
    const modules = await generateSqlModules(folder, client);
    return modules.get(path.replace('.sql', '.ts')) ?? '';
  } finally {
    client.release();
  }
}

it('writes a function with the types that the server gives parameters and columns', async () => {
  const module = await generate(
    `-- name: find_things :many
-- Finds things by id.
-- type note: Note from domain/note
SELECT id, amount, note, ended_at, feels, facts, count(*) OVER () AS "total!", NULL::int AS extra
FROM things WHERE id = ANY (:ids::uuid[]) AND amount > :least AND (:since?::timestamptz IS NULL OR ended_at > :since?)`,
    'rooms/things.sql',
  );
  expect(module).toContain(`import type { Note } from '../../../domain/note.js';`);
  expect(module).toContain(`export interface FindThingsInput {
  ids: readonly string[];
  least: bigint | number;
  since: Date | null;
}

export interface FindThingsRow {
  id: string;
  amount: bigint;
  note: Note | null;
  ended_at: Date | null;
  feels: 'good' | 'bad';
  facts: unknown;
  total: bigint;
  extra: number | null;
}
`);
  expect(module).toContain(`/** Finds things by id. */
export async function findThings(db: Queryable, input: FindThingsInput): Promise<FindThingsRow[]> {
  const { rows } = await db.query<FindThingsRow>({
    name: 'find_things',
    text: FIND_THINGS,
    values: [
      arrayLiteral(input.ids),
      input.least,
      input.since,
    ],
  });
  return rows;
}`);
  expect(module).toContain('AS "total", NULL::int AS extra');
});

it('takes columns of an outer join as nullable, unless they are marked', async () => {
  const module = await generate(
    `-- name: find_parts :one
SELECT t.amount AS "amount!", p.size FROM things t LEFT JOIN parts p ON p.thing_id = t.id WHERE t.id = :id`,
  );
  expect(module).toContain('  amount: bigint;\n  size: number | null;\n');
  expect(module).toContain('Promise<FindPartsRow | undefined>');
  expect(module).toContain('return rows[0];');
});

it('encodes a batch of rows as arrays', async () => {
  const module = await generate(
    `-- name: add_things :execrows
-- pack things: id uuid, amount bigint, note text?, at timestamptz?, sizes int[], facts jsonb
-- unprepared: it is a test
INSERT INTO things (id, amount, note, ended_at, feels, facts)
SELECT id, amount + sizes[1], note, at, 'good', facts FROM :things AS t`,
  );
  expect(module).toContain(`export interface AddThingsThingsRow {
  id: string;
  amount: bigint | number;
  note: string | null | undefined;
  at: Date | null | undefined;
  sizes: readonly (number | null)[];
  facts: string;
}`);
  expect(module).toContain(`  const { rowCount } = await db.query({
    text: ADD_THINGS,
    values: [
      textArray(input.things.map((r) => r.note)),
      binaryArray('timestamptz', input.things.map((r) => r.at)),
      textArray(input.things.map((r) => arrayLiteral(r.sizes))),
      textArray(input.things.map((r) => r.facts)),
      uuidArray(input.things, [(r) => r.id]),
      bigintArray(input.things, [(r) => r.amount]),
    ],
  });
  return rowCount ?? 0;`);
  expect(module).toContain('Is planned at each call: it is a test');
});

describe('a faulty file', () => {
  it.each([
    [
      'a column that the table does not have',
      'SELECT wrong FROM things',
      'things.sql: x: column "wrong" does not exist',
    ],
    ['rows of a statement that returns none', 'DELETE FROM things', 'x: returns no columns, but is :many'],
    ['a type without a form in TypeScript', 'SELECT now() - now() AS a', 'the column a has the type interval'],
    [
      'a parameter of such a type',
      'SELECT 1 AS a FROM things WHERE facts @@ :path',
      'a parameter has the type jsonpath',
    ],
  ])('rejects %s', async (_, text, problem) => {
    await expect(generate(`-- name: x :many\n${text}`)).rejects.toThrow(problem);
  });

  it('rejects a name that is used twice', async () => {
    const file = '-- name: x :one\nSELECT 1 AS a';
    await generate(file, 'a.sql');
    await expect(generate(file, 'b.sql')).rejects.toThrow('b.sql: x is also the name of a statement in a.sql');
  });
});
