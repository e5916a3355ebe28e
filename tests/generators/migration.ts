import { spawnSync } from 'node:child_process';
import { emptyDatabase } from '@tollgate/postgres';
import { startTestServer } from '../setup/test-server.mjs';
import { type Change, newFile, type ReadFile, requireKebab, UsageError } from './names.js';

/**
 * A migration with the SQL that leads from the service's migrations to its `schema.prisma`, computed by the Prisma CLI on an empty database.
 * @param args service, subject such as customer_notes
 */
export async function newMigration(
  [serviceName, subject]: readonly string[],
  read: ReadFile,
  { root, now }: { root: string; now: Date },
): Promise<Change[]> {
  const service = requireKebab(serviceName, 'the service');
  if (!subject || !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(subject)) {
    throw new UsageError('the subject must be in snake_case, such as customer_notes');
  }
  const cwd = `${root}services/${service}`;
  if (read(`services/${service}/prisma/schema.prisma`) === undefined) throw new UsageError(`${service} has no tables`);
  const given = process.env.DATABASE_URL;
  const server = given ? undefined : await startTestServer();
  process.env.TEST_DATABASE_URL = given ?? server?.url;
  const database = await emptyDatabase('new_migration');
  try {
    runPrisma(['migrate', 'deploy'], cwd, database.url);
    const diff = ['migrate', 'diff', '--from-config-datasource', '--to-schema', 'prisma/schema.prisma', '--script'];
    const sql = runPrisma(diff, cwd, database.url);
    if (!/^[A-Z]/m.test(sql))
      throw new UsageError('change prisma/schema.prisma first: the migrations lead to it already');
    const stamp = now.toISOString().replaceAll(/[-:T]|\..*/g, '');
    return [newFile(read, `services/${service}/prisma/migrations/${stamp}_${subject}/migration.sql`, sql)];
  } finally {
    await database.drop();
    await server?.stop();
  }
}

function runPrisma(args: readonly string[], cwd: string, url: string): string {
  const env = { ...process.env, DATABASE_URL: url };
  const { status, stdout, stderr, error } = spawnSync(`${cwd}/node_modules/.bin/tollgate-prisma`, args, {
    cwd,
    env,
    encoding: 'utf8',
  });
  if (error) throw error;
  if (status !== 0) throw new UsageError(`prisma ${args.slice(0, 2).join(' ')} failed: ${stderr || stdout}`);
  return stdout;
}
