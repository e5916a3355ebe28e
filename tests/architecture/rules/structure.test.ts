import { expect, it } from '@jest/globals';
import type { SourceFile } from '../source-files.js';
import {
  FILE_LINES_MAX,
  FOLDER_FILES_MAX,
  FUNCTION_LINES_MAX,
  findCopies,
  findDatabaseUse,
  findEnvironmentReads,
  findImpureDomain,
  findLargeFolders,
  findLongFiles,
  findLongFunctions,
} from './structure.js';

const file = (path: string, text = ''): SourceFile => ({ path, text });

it('finds a read of the environment outside of config.ts', () => {
  const text = "const url = process.env.DATABASE_URL ?? process.env['OTHER'];";
  expect(findEnvironmentReads([file('services/a/src/context.ts', text)])).toHaveLength(2);
  expect(
    findEnvironmentReads([file('services/a/src/config.ts', text), file('services/a/src/a.test.ts', text)]),
  ).toEqual([]);
});

it.each([
  'const now = Date.now();',
  'const now = new Date();',
  'const id = randomUUID();',
  'const id = crypto.randomUUID();',
  'const dice = Math.random();',
  'const at = process.env.HOME;',
])('finds impure code in domain: %s', (text) => {
  expect(findImpureDomain([file('services/a/src/domain/b.ts', text)])).toHaveLength(1);
  expect(findImpureDomain([file('services/a/src/operations/b.ts', text)])).toEqual([]);
});

it('permits a date that domain makes from an argument', () => {
  expect(findImpureDomain([file('services/a/src/domain/b.ts', 'const at = new Date(nowMs);')])).toEqual([]);
});

it.each([
  "import type { Pool } from 'pg';",
  "import { PrismaClient } from './store/generated/client.js';",
  'await ctx.pool.query(`SELECT 1`);',
  "await tx.query('UPDATE holds SET state = 1', []);",
  'await ctx.prisma.project.findMany({});',
])('finds a use of the database outside of store: %s', (text) => {
  expect(findDatabaseUse([file('services/a/src/operations/b.ts', text)])).toHaveLength(1);
  expect(findDatabaseUse([file('services/a/src/store/b.ts', text)])).toEqual([]);
});

it('finds a second definition of a shared helper', () => {
  const text = 'const UUID = /^[0-9a-f]{8}-/;\nconst MICROCENTS_PER_CENT = 1n;';
  expect(findCopies([file('services/a/src/b.ts', text)]).map(({ line }) => line)).toEqual([1, 2]);
  expect(findCopies([file('services/a/src/proof/b.ts', text)])).toEqual([]);
});

it('finds a folder with more than 20 source files, tests not counted', () => {
  const files = Array.from({ length: FOLDER_FILES_MAX }, (_, index) => file(`packages/a/src/f${index}.ts`));
  expect(findLargeFolders([...files, file('packages/a/src/f0.test.ts')])).toEqual([]);
  expect(findLargeFolders([...files, file('packages/a/src/more.ts')])).toEqual([
    { path: 'packages/a/src', line: 1, message: '21 source files' },
  ]);
});

it('finds a file and a function that are too long', () => {
  const lines = (count: number) => 'a();\n'.repeat(count);
  expect(findLongFiles([file('packages/a/src/f.ts', lines(FILE_LINES_MAX))])).toEqual([]);
  expect(findLongFiles([file('packages/a/src/f.ts', lines(FILE_LINES_MAX + 1))])).toHaveLength(1);
  const body = (count: number) => `function f() {\n${lines(count - 2)}}\n`;
  expect(findLongFunctions([file('packages/a/src/f.ts', body(FUNCTION_LINES_MAX))])).toEqual([]);
  expect(findLongFunctions([file('packages/a/src/f.ts', body(FUNCTION_LINES_MAX + 1))])).toHaveLength(1);
});
