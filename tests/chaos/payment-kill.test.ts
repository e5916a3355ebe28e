// `kill -9` during payments: every payment is credited once, in any order of webhook events and kills.
import { expect, it } from '@jest/globals';
import { type Json, waitUntil } from '@tollgate/testkit';
import { must, type TestCustomer, type TestProject } from '../system/start-system.js';
import { useSystem } from '../system/use-system.js';

const URLS = { success_url: 'https://shop.example/ok', cancel_url: 'https://shop.example/no' };
const CENT = 1_000_000;
const AMOUNTS = [500, 700, 1_100];

const system = useSystem({ mode: 'separate processes', env: { PAYMENT_CHECK_INTERVAL: '500ms' } });

it.each(['billing-ledger', 'edge-gateway'] as const)(
  'credits each wallet and owner payment once and takes each refund once when %s is killed',
  async (name) => {
    const project = await system.project({ fundsCents: 0 });
    const wallets = await Promise.all([1, 2, 3].map(() => project.customerOn('paygo')));
    const sessions = await Promise.all([
      ...wallets.flatMap((wallet) => AMOUNTS.map((cents) => opened(wallet, cents))),
      ...AMOUNTS.map((cents) => openedByOwner(project, cents)),
    ]);
    // The webhook events of the first half are being delivered when the process is killed; the rest find no listener.
    const payments = sessions.slice(0, 6).map(pay);
    await system.kill(name);
    payments.push(...sessions.slice(6).map(pay));
    const paid = AMOUNTS.reduce((sum, cents) => sum + cents, 0);
    await until(async () => (await balances(project, wallets)).every((cents) => cents === paid), 'every credit');

    const headers = { authorization: 'Bearer sk_test_system' };
    for (const payment_intent of payments) {
      const body = new URLSearchParams({ payment_intent, amount: '100' });
      await fetch(`${system.processor.baseUrl}/v1/refunds`, { method: 'POST', headers, body });
      if (payment_intent === payments[6]) await system.kill(name);
    }
    const left = paid - 100 * AMOUNTS.length;
    await until(async () => (await balances(project, wallets)).every((cents) => cents === left), 'every refund');
    await system.processor.webhooks.idle();
    // The processor may deliver all of them again.
    for (const event of system.processor.webhooks.all())
      expect(await system.processor.webhooks.deliver(event)).toBe(200);
    expect(await balances(project, wallets)).toEqual([left, left, left, left]);
    expect((await project.verify()).differences).toEqual([]);
  },
);

it('forfeits or refunds each payment once when billing-ledger is killed while customers are deleted', async () => {
  const project = await system.project({ fundsCents: 0 });
  const customers = await Promise.all(Array.from({ length: 6 }, () => project.customerOn('paygo')));
  const open = await Promise.all(customers.map((customer) => opened(customer, 900)));
  const sessions = await Promise.all(customers.map((customer) => opened(customer, 500)));
  const payments = sessions.map(pay);
  const deletions = customers.map(({ id }) => deleted(project, id));
  await system.kill('billing-ledger');
  await Promise.all(deletions);
  const { store } = system.processor;
  await until(async () => open.every((id) => store.get('checkout.session', id)?.status === 'expired'), 'expired pages');
  const refunds = () => store.all('refund').filter((refund) => payments.includes(refund.payment_intent));
  const forfeited = async () => must(await project.owner.get('/account/usage'), 200).forfeited_microcents / CENT;
  await until(async () => (await forfeited()) + 500 * refunds().length === 500 * payments.length, 'every payment');
  await system.processor.webhooks.idle();
  for (const event of system.processor.webhooks.all()) expect(await system.processor.webhooks.deliver(event)).toBe(200);
  expect(new Set(refunds().map(({ payment_intent }) => payment_intent)).size).toBe(refunds().length);
  expect((await forfeited()) + 500 * refunds().length).toBe(500 * payments.length);
  expect((await project.verify()).differences).toEqual([]);
});

/** Repeats the deletion until it succeeds. */
async function deleted({ api }: TestProject, id: string): Promise<void> {
  const isGone = async () => [204, 404].includes((await api.delete(`/customers/${id}`)).status);
  await until(isGone, 'the deletion');
}

const until = (isSo: () => Promise<boolean>, what: string) =>
  waitUntil(() => isSo().catch(() => false), { what, timeoutMs: 90_000 });

async function opened({ api }: TestCustomer, credit_amount_cents: number): Promise<string> {
  return must(await api.post('/customers/me/topup', { credit_amount_cents, ...URLS }), 201).session_id;
}

async function openedByOwner({ owner }: TestProject, amount_cents: number): Promise<string> {
  return must(await owner.post('/account/topup', { amount_cents, ...URLS }), 201).session_id;
}

function pay(session: string): string {
  return system.processor.pay(session).payment_intent ?? '';
}

/** Balances of the wallets and of the owner. */
async function balances({ owner }: TestProject, wallets: readonly TestCustomer[]): Promise<number[]> {
  const answers: Json[] = await Promise.all([
    ...wallets.map(async ({ api }) => must(await api.get('/customers/me/balance'), 200)),
    owner.get('/account/balance').then((answer) => must(answer, 200)),
  ]);
  return answers.map(({ balance_microcents }) => balance_microcents / CENT);
}
