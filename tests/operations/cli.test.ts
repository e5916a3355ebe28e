// The commands in the services' images, run as an operator runs them: the built main program in its own process.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEmbeddedTransport, deadLetterTopic } from '@tollgate/events';
import { silentLogger } from '@tollgate/runtime';
import { waitUntil } from '@tollgate/testkit';
import { must, SANDBOX_MODEL, type TestCustomer } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';
import { jsonLines, type Outcome, runServiceMain } from './run-program.js';

const SERVICES = [
  'agent-registry',
  'billing-ledger',
  'edge-gateway',
  'gateway-inference',
  'hooks-webhooks',
  'messaging',
  'workflow-engine',
];

const system = useSystem({ mode: 'separate processes' });
const project = useProject(system);
let customer: TestCustomer;
let accountId: string;

beforeAll(async () => {
  customer = await project.customerOn('paygo', { walletMicrocents: 10_000_000_000n });
  const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'hello' }] }];
  must(await customer.api.post('/responses', { model: SANDBOX_MODEL, input }), 200);
  const [row] = await system.query<{ account_id: string }>(
    'SELECT account_id FROM edge_gateway.projects WHERE id = $1',
    [project.id],
  );
  accountId = row!.account_id;
}, 180_000);

function run(service: string, ...args: string[]): Promise<Outcome> {
  const ledger = system.stack.services['billing-ledger']?.grpc;
  return runServiceMain(service, args, { ...system.env, ...(ledger && { BILLING_LEDGER_ADDR: ledger }) });
}

describe('every service', () => {
  it.each(SERVICES)(
    'lists its commands and migrates (%s)',
    async (service) => {
      const help = await run(service, '--help');
      expect(help).toMatchObject({ code: 0, err: '' });
      expect(help.out).toMatch(/ {2}export-customer CUSTOMER_ID/);
      expect(await run(service, 'migrate')).toEqual({ code: 0, out: 'the database is up to date\n', err: '' });
      expect(jsonLines(await run(service, 'migrate', '--json'))).toEqual([{ applied: [] }]);
    },
    120_000,
  );

  it('prints all data of one customer and none of another', async () => {
    const other = await project.customerOn('free');
    const found = new Map<string, number>();
    for (const service of SERVICES) {
      const outcome = await run(service, 'export-customer', customer.id);
      expect(outcome.code).toBe(0);
      expect(outcome.out).not.toContain(other.id);
      for (const { service: name, table } of jsonLines(outcome)) {
        expect(name).toBe(service);
        found.set(table, (found.get(table) ?? 0) + 1);
      }
    }
    for (const table of ['customers', 'subscriptions', 'accounts', 'transfers', 'holds', 'usage_rollups']) {
      expect([table, found.has(table)]).toEqual([table, true]);
    }
  }, 120_000);

  it('covers every table with a customer_id', async () => {
    const rows = await system.query<{ table_schema: string; table_name: string }>(
      `SELECT table_schema, table_name FROM information_schema.columns
        WHERE column_name = 'customer_id'
          AND NOT (SELECT relispartition FROM pg_class WHERE oid = format('%I.%I', table_schema, table_name)::regclass)`,
    );
    for (const { table_schema, table_name } of rows) {
      const service = table_schema.replaceAll('_', '-');
      const { CUSTOMER_TABLES } = await customerTables(service);
      const tables = CUSTOMER_TABLES.map(({ table }) => table);
      expect(tables).toContain(table_name);
    }
    expect(rows.length).toBeGreaterThan(8);
  });
});

describe('billing-ledger', () => {
  it('verifies a correct ledger with exit code 0, and names the differences of a wrong one with exit code 1', async () => {
    const right = await run('billing-ledger', 'verify', '--json');
    expect(right.code).toBe(0);
    expect(jsonLines(right)).toEqual([expect.objectContaining({ differences: 0, accounts: expect.any(Number) })]);
    const change = (by: number) =>
      system.query(`UPDATE billing_ledger.accounts SET credits = credits + $2 WHERE ref_id = $1 AND kind = 'wallet'`, [
        customer.id,
        by,
      ]);
    await change(5);
    const wrong = await run('billing-ledger', 'verify', accountId);
    await change(-5);
    expect(wrong.code).toBe(1);
    expect(wrong.out).toMatch(
      new RegExp(`^${accountId} wallet:${customer.id} credits: stored \\d+, computed \\d+ mic`),
    );
    expect((await run('billing-ledger', 'verify', accountId)).code).toBe(0);
  }, 120_000);

  it('changes a limit of an account, shows it and resets it', async () => {
    expect((await run('billing-ledger', 'set-limit', accountId, 'quota', '0')).out).toBe(
      'quota: 0 units a month (set for this account)\n',
    );
    await waitUntil(async () => (await ask()).status !== 200, { what: 'the limit', timeoutMs: 30_000 });
    const [, quota] = jsonLines(await run('billing-ledger', 'show-limits', accountId, '--json'));
    expect(quota).toEqual({ accountId, kind: 'quota', limit: '0', isOverridden: true });
    expect((await run('billing-ledger', 'set-limit', accountId, 'quota', 'default')).out).toMatch(/\(configured\)/);
    await waitUntil(async () => (await ask()).status === 200, { what: 'the reset', timeoutMs: 30_000 });
    expect(await run('billing-ledger', 'set-limit', accountId, 'color', '1')).toMatchObject({ code: 2, out: '' });
  }, 120_000);

  it('shows the outbox and queues published events again', async () => {
    const [state] = jsonLines(await run('billing-ledger', 'show-outbox', '--json'));
    expect(state).toMatchObject({ unpublished: expect.any(Number), first: expect.any(Array) });
    const again = await run('billing-ledger', 'requeue-outbox', '--since', '2020-01-01T00:00:00Z', '--json');
    expect(jsonLines(again)).toEqual([{ requeued: expect.any(Number), leaseEnded: expect.any(Boolean) }]);
    expect((await run('billing-ledger', 'requeue-outbox', '--since', 'yesterday')).code).toBe(2);
  }, 60_000);
});

describe('edge-gateway', () => {
  it('finds the account of an owner, and grants credit once per cause', async () => {
    const email = `${randomUUID()}@example.com`;
    must(await system.anonymous.post('/auth/register', { email, password: randomUUID() }), 201);
    const [{ accountId: owner }] = jsonLines(await run('edge-gateway', 'find-account', email, '--json'));
    expect(owner).toMatch(/^[0-9a-f-]{36}$/);
    const first = await run('edge-gateway', 'grant-credit', email, '250', 'once');
    expect(first).toMatchObject({ code: 0, out: `granted 250 cents to ${email}; balance 250 cents\n` });
    const second = await run('edge-gateway', 'grant-credit', email, '250', 'once', '--json');
    expect(jsonLines(second)).toEqual([{ accountId: owner, balanceCents: '250', cause: 'once', applied: false }]);
    const unknown = await run('edge-gateway', 'find-account', 'unknown@example.com');
    expect(unknown).toEqual({
      code: 1,
      out: '',
      err: 'edge-gateway: no owner has the email unknown@example.com; check its spelling\n',
    });
  }, 120_000);

  it('rotates its signing key', async () => {
    const [{ kid }] = jsonLines(await run('edge-gateway', 'rotate-signing-key', '--json'));
    expect(kid).toEqual(expect.any(String));
  });

  it('deletes rows past their retention with prune', async () => {
    await system.query(
      `INSERT INTO edge_gateway.revocations (subject_id, kind, expires_at)
       SELECT gen_random_uuid(), 'key', now() - interval '1 s' FROM generate_series(1, 2500)`,
    );
    const pruned = jsonLines(await run('edge-gateway', 'prune', '--json'));
    expect(pruned.find(({ pruned: name }) => name === 'revocations').rows).toBeGreaterThan(0);
    const [left] = await system.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM edge_gateway.revocations WHERE expires_at <= now()',
    );
    expect(left!.n).toBe(0);
  });
});

describe('hooks-webhooks', () => {
  it('runs rotate-secrets without secrets', async () => {
    expect(jsonLines(await run('hooks-webhooks', 'rotate-secrets', '--json'))).toEqual([{ resealed: 0 }]);
  });

  it('lists dead letters of its own, and replays each once', async () => {
    const topic = 'tollgate.customers.v1';
    const letter = (group: string) => ({
      id: randomUUID(),
      topic: deadLetterTopic(topic),
      key: customer.id,
      type: 'unknown.happened',
      payload: new Uint8Array([1]),
      occurredAt: new Date(),
      source: '/tollgate/test',
      headers: { dlq_group: group, dlq_topic: topic, dlq_reason: 'Error: broken', dlq_attempts: '5' },
    });
    const [ours, theirs] = [letter('hooks-webhooks'), letter('agent-registry')];
    const transport = createEmbeddedTransport({ url: system.databaseUrl, logger: silentLogger });
    await transport.start();
    await transport.publish([ours, theirs]);
    await transport.stop();

    const listed = jsonLines(await run('hooks-webhooks', 'list-dead-letters', '--json'));
    expect(listed).toEqual([expect.objectContaining({ id: ours.id, topic, reason: 'Error: broken', attempts: '5' })]);
    const copies = async () => {
      const rows = await system.query('SELECT 1 FROM tollgate_events.log WHERE topic = $1 AND id = $2', [
        topic,
        ours.id,
      ]);
      return rows.length;
    };
    expect(jsonLines(await run('hooks-webhooks', 'replay-dead-letters', '--json'))).toHaveLength(1);
    expect(await copies()).toBe(1);
    expect((await run('hooks-webhooks', 'replay-dead-letters')).out).toBe('');
    expect((await run('hooks-webhooks', 'list-dead-letters')).out).toBe('');
    expect(jsonLines(await run('hooks-webhooks', 'list-dead-letters', '--all', '--json'))).toHaveLength(1);
    expect(jsonLines(await run('hooks-webhooks', 'replay-dead-letters', ours.id, '--json'))).toHaveLength(1);
    expect(await copies()).toBe(2);
    expect(await run('hooks-webhooks', 'replay-dead-letters', theirs.id)).toMatchObject({ code: 1, out: '' });
  }, 120_000);
});

function ask() {
  const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'hello' }] }];
  return customer.api.post('/responses', { model: SANDBOX_MODEL, input });
}

function customerTables(service: string): Promise<{ CUSTOMER_TABLES: readonly { table: string }[] }> {
  const folder = ['billing-ledger', 'workflow-engine'].includes(service) ? 'store/customers' : 'store';
  return import(`../../services/${service}/dist/${folder}/customer-export.js`);
}
