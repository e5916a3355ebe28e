import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { PaymentService } from '@tollgate/contracts/billing/v1/payments_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { createPool, emptyDatabase } from '@tollgate/postgres';
import { LocalNetwork, startCall } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import type { RunningService } from '@tollgate/service';
import { type PaymentProcessor, startPaymentProcessor, waitUntil } from '@tollgate/testkit';
import type pg from 'pg';
import Stripe from 'stripe';
import { configFromEnv } from '../config.js';
import { chooseDatabase } from '../domain/databases/ledger-databases.js';
import { startBilling } from '../server.js';
import { admit, callAs, customerOn, ECHO, fundOwner, ownerPrincipal, settle } from '../testing/ledger-harness.js';
import { URLS } from '../testing/payments-harness.js';
import { type CutProxy, startCutProxy } from './cut-proxy.js';

// A ledger on two databases: what is not a statement of one owner, and how owners come to a database.

const SCHEMA = 'billing_ledger';
const WEBHOOK_SECRET = 'whsec_two';
const DATABASES = ['main', 'second'];

type Database = Awaited<ReturnType<typeof emptyDatabase>>;

let databases: Database[];
let pools: pg.Pool[];
let proxies: CutProxy[];
let processor: PaymentProcessor;
const running: RunningService[] = [];

beforeAll(async () => {
  databases = [await emptyDatabase('two_main'), await emptyDatabase('two_second')];
  pools = databases.map(({ url }) => createPool({ url, schema: SCHEMA, max: 2 }));
  proxies = await Promise.all(databases.map(({ url }) => startCutProxy(url, () => false)));
  processor = await startPaymentProcessor({ tickMs: 0 });
  processor.webhooks.hold();
});
afterAll(async () => {
  for (const service of running) await service.stop();
  for (const pool of pools) await pool.end();
  for (const proxy of proxies) await proxy.stop();
  for (const database of databases) await database.drop();
  await processor.stop();
});

async function startReplica(newOwners: string, [main, second] = databases.map(({ url }) => url)) {
  const network = new LocalNetwork();
  const config = configFromEnv({
    DATABASE_URL: main,
    DATABASE_SCHEMA: SCHEMA,
    SANDBOX_PROVIDER: '1',
    STRIPE_SECRET_KEY: 'sk_test_two',
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_BASE: processor.baseUrl,
    ...(newOwners && { LEDGER_DATABASES: `second=${second}`, LEDGER_NEW_OWNERS: newOwners }),
  });
  const service = await startBilling(config, { network, logger: silentLogger });
  running.push(service);
  return { service, billing: network.client(BillingService), payments: network.client(PaymentService) };
}

/** Returns a principal whose owner account the hash puts on this database. */
function ownerFor(database: string): Principal {
  for (;;) {
    const owner = ownerPrincipal();
    if (chooseDatabase(owner.accountId, DATABASES) === database) return owner;
  }
}

/** Returns the database that stores the owner's accounts, by name. */
async function findRows({ accountId }: Principal): Promise<string[]> {
  const sql = 'SELECT 1 FROM accounts WHERE owner_account_id = $1';
  const counts = await Promise.all(pools.map(async (pool) => (await pool.query(sql, [accountId])).rowCount));
  return DATABASES.filter((_, i) => counts[i] !== 0);
}

async function readAssignment({ accountId }: Principal): Promise<string | undefined> {
  const sql = 'SELECT database FROM owner_databases WHERE owner_account_id = $1';
  return (await pools[0]?.query(sql, [accountId]))?.rows[0]?.database;
}

it('keeps owners of a single database there, also those with nothing but a tier, a customer or a limit', async () => {
  const before = await startReplica('');
  const [funded, tiered, customered] = [ownerFor('second'), ownerFor('second'), ownerFor('second')];
  await fundOwner(before.billing, funded, 1_000n);
  const model = { modelId: ECHO, inputPricePerMillionCents: 1n, outputPricePerMillionCents: 1n };
  await before.billing.createTier({ tierCode: 'free', displayName: 'Free', models: [model] }, callAs(tiered));
  await before.billing.createCustomer({ externalId: 'someone', email: 'someone@example.com' }, callAs(customered));
  const { billing } = await startReplica('main,second');
  const elsewhere = (owner: Principal) => ({ ...owner, projectId: ownerPrincipal().projectId });
  expect((await billing.getAccountBalance({}, callAs(elsewhere(funded)))).balanceMicrocents).toBe(1_000n);
  // The first call is for another project.
  await billing.listTiers({}, callAs(elsewhere(tiered)));
  expect((await billing.listTiers({}, callAs(tiered))).tiers).toHaveLength(1);
  await billing.listTiers({}, callAs(elsewhere(customered)));
  expect((await billing.listCustomers({ limit: 5 }, callAs(customered))).customers).toHaveLength(1);
  for (const owner of [funded, tiered, customered]) expect(await readAssignment(owner)).toBe('main');
});

it('assigns new owners by the hash, once: replicas with other settings follow', async () => {
  const both = await startReplica('main,second');
  const onlyMain = await startReplica('main');
  for (const database of DATABASES) {
    const owner = ownerFor(database);
    await fundOwner(both.billing, owner, 10n ** 9n);
    const { holdId, decision } = await admit(onlyMain.billing, owner, {});
    expect(decision.case).toBe('admitted');
    await settle(both.billing, owner, holdId, 10n, 20n);
    expect(await findRows(owner)).toEqual([database]);
    expect((await both.billing.verifyLedger({}, callAs(owner))).differences).toEqual([]);
  }
  const race = ownerFor('second');
  await Promise.all([both, onlyMain].flatMap(({ billing }) => [1, 2, 3].map(() => fundOwner(billing, race, 5n))));
  const { balanceMicrocents } = await both.billing.getAccountBalance({}, callAs(race));
  expect(balanceMicrocents).toBe(30n);
  expect(await findRows(race)).toHaveLength(1);
});

it('applies a webhook event in the database of its order, and grants one signup credit per card in both', async () => {
  const { billing, payments } = await startReplica('main,second');
  const owners = [ownerFor('second'), ownerFor('main'), ownerFor('second')];
  for (const owner of owners) {
    const { checkoutSessionId } = await payments.startCardVerification(URLS, callAs(owner));
    processor.pay(checkoutSessionId, { card: 'pm_card_visa_debit' });
    for (const event of processor.webhooks.waiting()) {
      const payload = JSON.stringify(event);
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
      await payments.receiveNotice({ payload: Buffer.from(payload), signature }, startCall({ timeoutMs: 30_000 }));
    }
  }
  const outcomes = await Promise.all(owners.map((owner) => payments.getCardVerification({}, callAs(owner))));
  expect(outcomes.map(({ verification }) => verification)).toMatchObject([
    { verified: true, creditGranted: true },
    { verified: true, creditGranted: false, grantAlreadyUsedByCard: true },
    { verified: true, creditGranted: false, grantAlreadyUsedByCard: true },
  ]);
  const balances = await Promise.all(owners.map((owner) => billing.getAccountBalance({}, callAs(owner))));
  expect(balances.map(({ balanceMicrocents }) => balanceMicrocents)).toEqual([500_000_000n, 0n, 0n]);
});

it('refuses an owner on a database that is no longer configured', async () => {
  const { billing } = await startReplica('main,second');
  const owner = ownerFor('second');
  await fundOwner(billing, owner, 1n);
  await pools[0]?.query(`UPDATE owner_databases SET database = 'third' WHERE owner_account_id = $1`, [owner.accountId]);
  const later = await startReplica('main');
  await expect(later.billing.getAccountBalance({}, callAs(owner))).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
});

it.each(DATABASES)('serves the owners of the other database while %s is unavailable, and stays ready', async (name) => {
  const at = DATABASES.indexOf(name);
  const urls = databases.map(({ url }, i) => (i === at ? (proxies[at]?.url ?? '') : url));
  const { billing, service } = await startReplica('main,second', urls);
  const [lost, served] = [ownerFor(name), ownerFor(DATABASES[1 - at] ?? '')];
  for (const owner of [lost, served]) await fundOwner(billing, owner, 10n ** 9n);
  const customer = await customerOn(billing, served, { tierCode: 'free', spendLimitCents: 1_000n });
  await proxies[at]?.stop();
  const refused = () =>
    billing.getAccountBalance({}, callAs(lost)).then(
      () => false,
      () => true,
    );
  await waitUntil(refused, { what: 'calls to the unavailable database to fail' });
  for (let i = 0; i < 5; i++) {
    const { holdId, decision } = await admit(billing, customer.principal, {});
    expect(decision.case).toBe('admitted');
    await settle(billing, customer.principal, holdId, 10n, 20n);
  }
  const checked = name === 'main' ? 'database' : `database-${name}`;
  const isDown = () => service.health.report.dependencies.some((one) => one.name === checked && one.state === 'down');
  await waitUntil(isDown, { what: 'health to report the database', timeoutMs: 30_000 });
  expect(service.health.report.status).toBe('degraded');
});
