import { expect, it } from '@jest/globals';
import type { SourceFile } from '../source-files.js';
import { findSharedTables } from './tables.js';

const schema =
  'model ApiKey {\n  id String @id\n\n  @@map("api_keys")\n}\nmodel User {\n  id String @id\n  @@map("users")\n}';
const service = (...texts: string[]): SourceFile[] => [
  { path: 'services/a/prisma/schema.prisma', text: schema },
  ...texts.map((text, n) => ({ path: `services/a/src/store/${n}.ts`, text })),
];
const prisma = 'await db.apiKey.findMany({});';

it.each([
  'await db.query(`SELECT id FROM api_keys`);',
  "await db.query('SELECT 1 FROM users u JOIN api_keys k ON k.user_id = u.id');",
  'await tx.$executeRaw`UPDATE api_keys SET revoked = true`;',
  `const rule = { table: 'api_keys' }; await db.query(\`DELETE FROM \${rule.table}\`);`,
])('finds a table that SQL names and Prisma uses: %s', (sql) => {
  expect(findSharedTables(service(prisma, sql))).toEqual([
    { path: 'services/a/src/store/1.ts', line: 1, message: 'SQL names api_keys, which is used through Prisma' },
  ]);
  expect(findSharedTables(service(sql))).toEqual([]);
});

it('permits a service to use one table by SQL and another through Prisma', () => {
  const sql = "await db.query('SELECT id FROM users');";
  expect(findSharedTables(service(prisma, sql, '// SELECT id FROM api_keys'))).toEqual([]);
  const customerExport = {
    path: 'services/a/src/store/customer-export.ts',
    text: 'const sql = `SELECT * FROM api_keys`;',
  };
  expect(findSharedTables([...service(prisma), customerExport])).toEqual([]);
  const test = { path: 'services/a/src/a.db.test.ts', text: 'await db.query(`SELECT id FROM api_keys`);' };
  expect(findSharedTables([...service(prisma), test])).toEqual([]);
});
