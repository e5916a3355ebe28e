// deploy/backup.mjs and deploy/restore.mjs with the programs of an installed PostgreSQL, on a server of the same version.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { must, SANDBOX_MODEL, type System, startSystem, type TestCustomer } from '../system/start-system.js';
import { installedPostgres, type PostgresServer, startInstalledPostgres } from './postgres-server.js';
import { jsonLines, type Outcome, runProgram, runServiceMain } from './run-program.js';

const programs = installedPostgres();
if (programs === undefined && process.env.CI === 'true') throw new Error('PostgreSQL with pg_dump is not installed');
if (programs === undefined) console.warn('skipped: PostgreSQL with pg_dump is not installed');
const describeWithPrograms = programs === undefined ? describe.skip : describe;

describeWithPrograms('backup and restore', () => {
  let server: PostgresServer;
  let folder: string;
  let system: System | undefined;
  let customer: TestCustomer;
  let backup: string;
  let balances: unknown;

  beforeAll(async () => {
    server = await startInstalledPostgres(programs!);
    folder = mkdtempSync(join(tmpdir(), 'tollgate-backup-'));
    backup = join(folder, 'backup');
    system = await startOn('traffic');
    customer = await (await system.project()).customerOn('paygo', { walletMicrocents: 10_000_000_000n });
    for (let i = 0; i < 5; i += 1) must(await ask(customer), 200);
  }, 180_000);
  afterAll(async () => {
    await system?.stop();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  async function startOn(name: string): Promise<System> {
    return startSystem({
      mode: 'one process',
      database: { url: await server.create(name), drop: () => server.drop(name) },
    });
  }

  it('backs up while requests are served', async () => {
    const requests = Array.from({ length: 10 }, () => ask(customer));
    expect(await run('backup', system!.databaseUrl, backup)).toMatchObject({ code: 0, out: `${backup}\n` });
    for (const response of await Promise.all(requests)) expect(response.status).toBe(200);
    const { sources } = JSON.parse(readFileSync(join(backup, 'backup.json'), 'utf8'));
    expect(sources).toHaveLength(8);
    expect(await run('backup', system!.databaseUrl, backup)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/exists already/),
    });
  }, 120_000);

  it('refuses to restore under running services, over data, and from a damaged file', async () => {
    const running = await run('restore', system!.databaseUrl, backup, '--replace');
    expect(running).toMatchObject({
      code: 1,
      err: expect.stringMatching(/is connected to the target: stop the services first/),
    });
    const filled = await server.create('filled');
    await runServiceMain('messaging', ['migrate'], { ...system!.env, DATABASE_URL: filled });
    expect(await run('restore', filled, backup)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/has a schema messaging with tables/),
    });
    const dump = join(backup, 'messaging.dump');
    const bytes = readFileSync(dump);
    writeFileSync(dump, Buffer.concat([bytes, Buffer.from('x')]));
    expect(await run('restore', filled, backup, '--replace')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/messaging.dump is damaged/),
    });
    writeFileSync(dump, bytes);
  }, 120_000);

  it('refuses a backup of a newer schema', async () => {
    const file = join(backup, 'backup.json');
    const manifest = readFileSync(file, 'utf8');
    writeFileSync(file, manifest.replace('20261129160010_cached_input_price', '20991231000000_later'));
    expect(await run('restore', await server.create('newer'), backup)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/billing-ledger has the migration 20991231000000_later, which this version lacks/),
    });
    writeFileSync(file, manifest);
  }, 60_000);

  it('restores everything after a loss: balances are equal, the ledger is correct, requests are served', async () => {
    const lost = system!;
    const stale = join(folder, 'final');
    await waitUntil(async () => (await openHolds(lost)) === 0, { what: 'the settlement', timeoutMs: 30_000 });
    balances = await readBalances(lost);
    expect(await run('backup', lost.databaseUrl, stale)).toMatchObject({ code: 0 });
    system = undefined;
    await lost.stop(); // drops the database
    const url = await server.create('restored');
    expect(await run('restore', url, stale)).toMatchObject({
      code: 0,
      err: expect.stringMatching(/Start the services/),
    });
    const verified = await runServiceMain('billing-ledger', ['verify', '--json'], { ...lost.env, DATABASE_URL: url });
    expect(verified.code).toBe(0);
    expect(jsonLines(verified)).toEqual([expect.objectContaining({ differences: 0, openHolds: '0' })]);
    system = await startSystem({
      mode: 'one process',
      database: { url, drop: () => server.drop('restored') },
    });
    expect(await readBalances(system)).toEqual(balances);
    const restored = { ...customer, api: system.anonymous.as(customer.token) };
    must(await ask(restored), 200);
  }, 240_000);

  it('replaces existing data on request, and recovers from a backup taken under load', async () => {
    const { databaseUrl, env } = system!;
    await system!.stack.stop();
    expect(await run('restore', databaseUrl, backup, '--replace')).toMatchObject({ code: 0 });
    const settings = { ...env, DATABASE_URL: databaseUrl };
    expect((await runServiceMain('billing-ledger', ['verify-journal'], settings)).code).toBe(0);
  }, 120_000);

  function run(command: string, url: string, ...args: string[]): Promise<Outcome> {
    return runProgram(`deploy/${command}.mjs`, args, { DATABASE_URL: url, PG_BIN: programs });
  }
});

function ask({ api }: TestCustomer) {
  const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'hello' }] }];
  return api.post('/responses', { model: SANDBOX_MODEL, input });
}

async function openHolds(system: System): Promise<number> {
  const [row] = await system.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM billing_ledger.holds WHERE state = 0',
  );
  return row!.n;
}

function readBalances(system: System) {
  return system.query('SELECT kind, ref_id, credits, debits, held FROM billing_ledger.accounts ORDER BY id');
}
