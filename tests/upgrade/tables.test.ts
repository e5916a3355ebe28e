// Databases of earlier versions get the tables of this one, with our runner and with the Prisma CLI, although their migrations
// are replaced by one initial migration per service.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool, emptyDatabase, migrate } from '@tollgate/postgres';
import { ROOT, runTool } from '../architecture/run-tool.js';
import { missingHistory, previousCommit } from './previous-version.js';

const INITIAL = '20261129000000_initial';
const services = readdirSync(join(ROOT, 'services'));
type Database = Awaited<ReturnType<typeof emptyDatabase>>;

const missing = missingHistory();
if (missing !== undefined && process.env.CI !== 'true') it.skip(`needs the history: ${missing}`, () => {});
else describe('an upgrade', () => describeTables());

function describeTables(): void {
  let folder: string;
  const databases = new Map<string, Database>();
  const origins = ['no version', squashCommit(), previousCommit().slice(0, 8)];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-migrations-'));
    for (const origin of origins) {
      const database = await emptyDatabase('upgraded_tables');
      databases.set(origin, database);
      if (origin === 'no version') continue;
      checkOut(origin, join(folder, origin));
      for (const service of services) await migrateTo(database, service, findMigrations(join(folder, origin), service));
    }
  });
  afterAll(async () => {
    for (const database of databases.values()) await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('needs the history of the previous version', () => expect(missing).toBeUndefined());

  it('accepts a schema in which the Prisma CLI has recorded the initial migration and applied the rest', async () => {
    const database = databases.get(squashCommit()) as Database;
    const cwd = join(ROOT, 'services/hooks-webhooks');
    const env = { DATABASE_URL: database.url };
    const resolved = runTool('tollgate-prisma', ['migrate', 'resolve', '--applied', INITIAL], { cwd, env });
    expect(resolved.status === 0 ? '' : resolved.output).toBe('');
    const deployed = runTool('tollgate-prisma', ['migrate', 'deploy'], { cwd, env });
    expect(deployed.status === 0 ? '' : deployed.output).toBe('');
    expect(await migrateTo(database, 'hooks-webhooks', currentFolder('hooks-webhooks'))).toEqual([]);
  });

  it.each(services)('makes the same tables for %s from each earlier version and from none', async (service) => {
    const catalogs: string[][] = [];
    for (const database of databases.values()) {
      await migrateTo(database, service, currentFolder(service));
      catalogs.push(await readCatalog(database.url, service.replaceAll('-', '_')));
    }
    expect(catalogs[0]?.length).toBeGreaterThan(10);
    for (const catalog of catalogs) expect(catalog).toEqual(catalogs[0]);
  });
}

/** Returns the commit whose migrations the initial ones replace. */
function squashCommit(): string {
  const sql = readFileSync(join(currentFolder('messaging'), INITIAL, 'migration.sql'), 'utf8');
  return /^-- upgrade through commit (\w+)$/m.exec(sql)?.[1] ?? '';
}

function currentFolder(service: string): string {
  return join(ROOT, 'services', service, 'prisma/migrations');
}

/** At first, messaging had its migrations in another folder. */
function findMigrations(tree: string, service: string): string {
  const usual = join(tree, 'services', service, 'prisma/migrations');
  return existsSync(usual) ? usual : join(tree, 'services', service, 'migrations');
}

async function migrateTo({ url }: Database, service: string, directory: string): Promise<string[]> {
  return (await migrate({ url, schema: service.replaceAll('-', '_'), directory })).applied;
}

/** Writes the migrations of a commit to a new folder. */
function checkOut(commit: string, folder: string): void {
  const script = 'mkdir "$2" && git archive "$1" ":(glob)services/**/migrations/**" | tar -x -C "$2"';
  const { status, stderr } = spawnSync('sh', ['-c', script, 'sh', commit, folder], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git archive ${commit} failed: ${stderr}`);
}

/** Describes everything in a schema that a migration can make, in the order of columns, and the rows that migrations insert. */
async function readCatalog(url: string, schema: string): Promise<string[]> {
  const pool = createPool({ url, schema, max: 1 });
  const { rows } = await pool.query<{ text: string }>(
    `WITH tables AS (SELECT * FROM pg_class WHERE relnamespace = $1::regnamespace AND relname NOT LIKE '\\_prisma%')
     SELECT format('%s %s %s %s', relkind, relname, reloptions, pg_get_partkeydef(oid)) AS text FROM tables
     UNION ALL
     SELECT format('column %s %s %s %s %s %s %s', t.relname, attnum, attname, format_type(atttypid, atttypmod), attnotnull,
                   attidentity, (SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = t.oid AND adnum = attnum))
       FROM pg_attribute JOIN tables t ON t.oid = attrelid WHERE attnum > 0 AND relkind IN ('r', 'p')
     UNION ALL
     SELECT format('constraint %s %s %s %s', t.relname, conname, pg_get_constraintdef(c.oid), convalidated)
       FROM pg_constraint c JOIN tables t ON t.oid = conrelid
     UNION ALL
     SELECT format('index %s %s', indisvalid, pg_get_indexdef(indexrelid)) FROM pg_index JOIN tables t ON t.oid = indrelid
     UNION ALL
     SELECT pg_get_triggerdef(g.oid) FROM pg_trigger g JOIN tables t ON t.oid = tgrelid WHERE NOT tgisinternal
     UNION ALL
     SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = $1::regnamespace
     ORDER BY text`,
    [schema],
  );
  const accounts =
    schema === 'billing_ledger' ? await pool.query('SELECT id, kind, ref_id FROM accounts ORDER BY id') : undefined;
  const next = accounts && (await pool.query("SELECT nextval(pg_get_serial_sequence('accounts', 'id')) AS next"));
  await pool.end();
  return [
    ...rows.map(({ text }) => text),
    String(next?.rows[0]?.next),
    ...(accounts?.rows ?? []).map((row) => Object.values(row).join(' ')),
  ];
}
