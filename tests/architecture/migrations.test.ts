import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool, emptyDatabase, migrate } from '@tollgate/postgres';
import { ROOT, runTool } from './run-tool.js';

const services = readdirSync(join(ROOT, 'services'));

describe('the migrations', () => {
  let database: Awaited<ReturnType<typeof emptyDatabase>>;
  beforeAll(async () => {
    database = await emptyDatabase('migrations');
  });
  afterAll(() => database.drop());

  it.each(services)('creates for %s the tables that its Prisma schema describes', async (service) => {
    const cwd = join(ROOT, 'services', service);
    const env = { DATABASE_URL: database.url };
    // By our runner, in milliseconds; tests/upgrade/tables.test.ts deploys with the Prisma CLI, which takes seconds.
    const directory = join(cwd, 'prisma/migrations');
    await migrate({ url: database.url, schema: service.replaceAll('-', '_'), directory });
    const diff = ['migrate', 'diff', '--from-config-datasource', '--to-schema', 'prisma/schema.prisma', '--exit-code'];
    const compared = runTool('tollgate-prisma', diff, { cwd, env });
    expect(compared.status === 0 ? '' : compared.output).toBe('');

    const schema = readFileSync(join(cwd, 'prisma/schema.prisma'), 'utf8');
    const hidden = await listHiddenParts(database.url, service.replaceAll('-', '_'));
    expect(hidden.filter((name) => !schema.includes(name))).toEqual([]);
  });

  it.each(services)('keeps the Prisma schema of %s in the form of the formatter', (service) => {
    const cwd = join(ROOT, 'services', service);
    const formatted = runTool('tollgate-prisma', ['format', '--check'], { cwd });
    expect(formatted.status === 0 ? '' : formatted.output).toBe('');
  });
});

/**
 * Returns what Prisma does not compare and the schema therefore names in comments: indexes over expressions or with further
 * columns, and triggers. It does compare the conditions of partial indexes.
 */
async function listHiddenParts(url: string, schema: string): Promise<string[]> {
  const pool = createPool({ url, schema, max: 1 });
  const { rows } = await pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE c.relnamespace = $1::regnamespace AND (i.indexprs IS NOT NULL OR i.indnatts > i.indnkeyatts)
     UNION
     SELECT t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE c.relnamespace = $1::regnamespace AND NOT t.tgisinternal AND t.tgparentid = 0`,
    [schema],
  );
  await pool.end();
  return rows.map(({ name }) => name);
}
