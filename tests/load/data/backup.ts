// `npm run bench -- --backup`: seconds of deploy/backup.mjs and deploy/restore.mjs for a ledger of about 1 GB, and its `verify`.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@tollgate/postgres';
import { startWebhookReceiver } from '@tollgate/testkit';
import { installedPostgres, startInstalledPostgres } from '../../operations/postgres-server.js';
import { type Outcome, runProgram, runServiceMain } from '../../operations/run-program.js';
import { table } from '../table.js';
import { seedDatabase } from './seed.js';

const SERVER = ['fsync=on', 'max_wal_size=4GB', 'maintenance_work_mem=256MB'];

/** Returns a table of one backup, its restore into an empty database, and the comparisons of the ledger after it. */
export async function backupTable(rows: number, say: (line: string) => void): Promise<string> {
  const programs = installedPostgres();
  if (!programs) throw new Error('PostgreSQL with pg_dump is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
  const backup = join(folder, 'backup');
  const server = await startInstalledPostgres(programs, SERVER);
  const receiver = await startWebhookReceiver();
  try {
    const [url, restored] = [await server.create('used'), await server.create('restored')];
    const images = join(folder, 'images');
    mkdirSync(images);
    const env = { LOG_LEVEL: 'silent', IMAGE_STORAGE_DIR: images };
    await seedDatabase({ url, env, receiver, rows, schema: 'billing_ledger', isKept: true, say });
    const settings = (database: string) => ({
      DATABASE_URL: database,
      PG_BIN: programs,
      DEV_MODE: '1',
      SANDBOX_PROVIDER: '1',
    });
    const lines: string[] = [];
    const measure = async (what: string, run: Promise<Outcome>) => {
      const from = performance.now();
      const { code, out, err } = await run;
      if (code !== 0) throw new Error(`${what}: exit code ${code}, ${err || out}`);
      const line = (what.startsWith('verify') ? out : err).trim().split('\n').at(-1) ?? '';
      lines.push([what, `${((performance.now() - from) / 1_000).toFixed(1)} s`, line].join(' | '));
      say(`  ${lines.at(-1)}`);
    };
    const size = await databaseGb(url);
    await measure('backup', runProgram('deploy/backup.mjs', [backup], settings(url)));
    await measure('restore', runProgram('deploy/restore.mjs', [backup], settings(restored)));
    await measure('verify', runServiceMain('billing-ledger', ['verify'], settings(restored)));
    await measure('verify-journal', runServiceMain('billing-ledger', ['verify-journal'], settings(restored)));
    const sizes = `database ${size.toFixed(2)} GB, restored ${(await databaseGb(restored)).toFixed(2)} GB`;
    return `${table('what | time | result', lines)}\n${sizes}\n`;
  } finally {
    await receiver.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function databaseGb(url: string): Promise<number> {
  const { client, end } = await createClient({ url, schema: 'public', applicationName: 'bench' });
  const { rows } = await client.query<{ gb: number }>(
    'SELECT (pg_database_size(current_database()) / 1e9)::float AS gb',
  );
  await end();
  return rows[0]?.gb ?? 0;
}
