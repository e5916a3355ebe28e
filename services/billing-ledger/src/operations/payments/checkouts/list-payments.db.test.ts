import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { waitUntil } from '@tollgate/testkit';
import { callAs, ownerPrincipal } from '../../../testing/ledger-harness.js';
import {
  makeCustomer,
  makeTier,
  type PaymentsHarness,
  startPaymentsHarness,
  URLS,
} from '../../../testing/payments-harness.js';

const owner = ownerPrincipal();

let harness: PaymentsHarness;
let customers: string[];
/** Ids of the purchases, oldest first. */
const purchases: string[] = [];

beforeAll(async () => {
  harness = await startPaymentsHarness('list_payments');
  await makeTier(harness, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  customers = [await makeCustomer(harness, owner, 'paygo'), await makeCustomer(harness, owner, 'paygo')];
  for (const customerId of [...customers, ...customers]) {
    const { topUp } = await harness.payments.createWalletTopUp(
      { customerId, creditAmountCents: 1_500n, ...URLS },
      callAs(owner),
    );
    purchases.push(topUp?.id ?? '');
    if (purchases.length === 1) harness.processor.pay(topUp?.sessionId ?? '');
  }
  await harness.ledger.database.pool.query(
    `UPDATE payment_orders o SET created_at = o.created_at + p.place * interval '1 second'
       FROM unnest($1::uuid[]) WITH ORDINALITY AS p (id, place) WHERE o.id = p.id`,
    [purchases],
  );
  const isPaid = async () => (await list({ status: 'completed' })).length === 1;
  await waitUntil(isPaid, { what: 'the first payment' });
});
afterAll(() => harness.stop());

async function list(query: object, as: Principal = owner) {
  return (await harness.payments.listProjectPayments(query, callAs(as))).payments.map(({ id }) =>
    purchases.indexOf(id),
  );
}

it('lists the purchases of the project, newest first, by customer, kind and status', async () => {
  expect(await list({})).toEqual([3, 2, 1, 0]);
  expect(await list({ customerId: customers[0] })).toEqual([2, 0]);
  expect(await list({ customerId: randomUUID() })).toEqual([]);
  expect(await list({ customerId: 'x' })).toEqual([]);
  expect(await list({ kind: 'wallet_topup', status: 'pending' })).toEqual([3, 2, 1]);
  expect(await list({ kind: 'subscription' })).toEqual([]);
  expect(await list({}, ownerPrincipal())).toEqual([]);
  await expect(list({ status: 'open' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

it('continues after the last purchase of a page', async () => {
  const first = await harness.payments.listProjectPayments({ limit: 3 }, callAs(owner));
  const { createdAt, id } = first.payments.at(-1)!;
  expect([first.payments.length, first.hasMore]).toEqual([3, true]);
  expect(await list({ limit: 3, afterCreatedAt: createdAt, afterId: id })).toEqual([0]);
});

it('lists and adds up purchases from a time until before another', async () => {
  const read = (query: object) =>
    harness.payments.listProjectPayments({ includeTotals: true, ...query }, callAs(owner));
  const [, first, , last] = (await read({})).payments.map(({ createdAt }) => createdAt).reverse();
  expect(await list({ from: first, to: last })).toEqual([2, 1]);
  expect([await list({ to: first }), await list({ from: last })]).toEqual([[0], [3]]);
  expect((await read({ to: first })).totals).toMatchObject([{ receivedCents: 1_500n, count: 1n }]);
  expect((await read({ from: first })).totals).toMatchObject([{ receivedCents: 0n, count: 0n }]);
});

it('shows amount, status and end of a purchase', async () => {
  const { payments } = await harness.payments.listProjectPayments({ status: 'completed' }, callAs(owner));
  expect(payments).toMatchObject([
    { kind: 'wallet_topup', status: 'completed', customerId: customers[0], amountCents: 1_500n, currency: 'usd' },
  ]);
  expect(payments[0]?.endedAt).toBeDefined();
});
