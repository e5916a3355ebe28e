import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { eventTypes } from '@tollgate/events';
import { waitUntil } from '@tollgate/testkit';
import { callAs, ownerPrincipal } from '../../../testing/ledger-harness.js';
import { makeCustomer, makeTier, URLS } from '../../../testing/payments-harness.js';
import { usePayments } from '../../../testing/use-payments.js';

const CENT = 1_000_000n;
const CREATE_REFUND = /POST \/v1\/refunds$/;

const harness = usePayments('request_refund');

interface Paid {
  owner: Principal;
  customerId: string;
  id: string;
  /** The processor's id. */
  payment: string;
}

/** Lets a customer pay 15 dollars into the wallet. */
async function paid(): Promise<Paid> {
  const owner = ownerPrincipal();
  await makeTier(harness, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  const customerId = await makeCustomer(harness, owner, 'paygo');
  const req = { customerId, creditAmountCents: 1_500n, ...URLS };
  const { topUp } = await harness.payments.createWalletTopUp(req, callAs(owner));
  const { payment_intent: payment } = harness.processor.pay(topUp?.sessionId ?? '');
  await harness.settled();
  return { owner, customerId, id: topUp?.id ?? '', payment: payment ?? '' };
}

const refund = ({ owner, id }: Paid, amountCents?: bigint, cause: string = randomUUID()) =>
  harness.payments.refundPayment({ paymentId: id, cause, ...(amountCents && { amountCents }) }, callAs(owner));

const read = ({ owner, id }: Paid) => harness.payments.getProjectPayment({ id }, callAs(owner));
const atProcessor = ({ payment }: Paid) =>
  harness.processor.store.all('refund').filter((made) => made.payment_intent === payment);
const events = ({ owner }: Paid) => harness.ledger.events(eventTypes.paymentRefunded, owner.projectId);

async function grant({ owner, customerId }: Paid, cents: bigint, reason = 'promo'): Promise<void> {
  const target = { case: 'customerId' as const, value: customerId };
  await harness.billing.grantCredit(
    { target, amountMicrocents: cents * CENT, reason, cause: randomUUID() },
    callAs(owner),
  );
}

async function wallet({ owner, customerId }: Paid): Promise<[balanceCents: bigint, reservedCents: bigint]> {
  const { balanceMicrocents, reservedMicrocents } = await harness.billing.getCustomerBalance(
    { customerId },
    callAs(owner),
  );
  return [balanceMicrocents / CENT, reservedMicrocents / CENT];
}

async function expectConsistent({ owner }: Paid): Promise<void> {
  expect((await harness.billing.verifyLedger({}, callAs(owner))).differences).toEqual([]);
}

const untilEnded = (payment: Paid) =>
  waitUntil(
    async () => {
      harness.clock.advance({ minutes: 3 });
      return (await read(payment)).refunds.every(({ status }) => status !== 'pending');
    },
    { what: 'the outcome of the refund' },
  );

it('refunds a payment in full, takes it from the wallet, and emits one event', async () => {
  const payment = await paid();
  expect((await read(payment)).refundableCents).toBe(1_500n);
  const { refund: made, applied } = await refund(payment);
  expect([made?.status, made?.amountCents, applied]).toEqual(['succeeded', 1_500n, true]);
  expect(await wallet(payment)).toEqual([0n, 0n]);
  expect(atProcessor(payment)).toMatchObject([{ amount: 1_500, status: 'succeeded' }]);
  expect(await read(payment)).toMatchObject({ refundableCents: 0n, payment: { reversedCents: 1_500n } });
  const { customerId, id } = payment;
  expect(await events(payment)).toMatchObject([
    { customerId, orderId: id, purchase: 'wallet_topup', amountCents: 1_500n },
  ]);
  await expectConsistent(payment);
});

it('refunds a payment in parts, up to its amount', async () => {
  const payment = await paid();
  await grant(payment, 9_000n);
  await refund(payment, 400n);
  await expect(refund(payment, 1_101n)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('1100'),
  });
  harness.clock.advance({ seconds: 1 });
  await refund(payment, 1_100n);
  await expect(refund(payment)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(atProcessor(payment).map(({ amount }) => amount)).toEqual([400, 1_100]);
  expect((await read(payment)).refunds.map(({ amountCents }) => amountCents)).toEqual([1_100n, 400n]);
  expect(await wallet(payment)).toEqual([9_000n, 0n]);
  await expectConsistent(payment);
});

it('leaves out money that was spent, held or granted', async () => {
  const payment = await paid();
  await harness.ledger.database.pool.query(
    `UPDATE accounts SET held = 300000000 WHERE kind = 'wallet' AND ref_id = $1`,
    [payment.customerId],
  );
  await grant(payment, 100n, 'adjustment');
  expect((await read(payment)).refundableCents).toBe(1_300n);
  await expect(refund(payment, 1_301n)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect((await refund(payment)).refund?.amountCents).toBe(1_300n);
  expect(await wallet(payment)).toEqual([300n, 300n]);
});

it('refunds once per cause, also if repeats arrive at once', async () => {
  const payment = await paid();
  const answers = await Promise.all(Array.from({ length: 5 }, () => refund(payment, 500n, 'a key')));
  expect(answers.filter(({ applied }) => applied)).toHaveLength(1);
  expect(new Set(answers.map(({ refund: made }) => made?.id)).size).toBe(1);
  expect(atProcessor(payment)).toHaveLength(1);
  expect(await wallet(payment)).toEqual([1_000n, 0n]);
  expect((await refund(payment, undefined, 'a key')).applied).toBe(false);
  await expect(refund(payment, 501n, 'a key')).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await events(payment)).toHaveLength(1);
  await expectConsistent(payment);
});

it('limits simultaneous refunds to what is left of the payment', async () => {
  const payment = await paid();
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => refund(payment, 700n)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(await wallet(payment)).toEqual([100n, 0n]);
  expect(atProcessor(payment)).toHaveLength(2);
  await expectConsistent(payment);
});

describe('a call without an answer', () => {
  it.each(['before', 'after'] as const)(
    'keeps the money reserved and refunds once when it is cut %s its effect',
    async (when) => {
      const payment = await paid();
      harness.processor.webhooks.hold();
      harness.processor.faults.cut(CREATE_REFUND, when, 2);
      const { refund: made } = await refund(payment, 600n, 'lost');
      expect(made?.status).toBe('pending');
      expect(await wallet(payment)).toEqual([1_500n, 600n]);
      expect((await read(payment)).refundableCents).toBe(900n);
      await expectConsistent(payment);
      await untilEnded(payment);
      expect((await read(payment)).refunds).toMatchObject([{ status: 'succeeded', amountCents: 600n }]);
      expect(await wallet(payment)).toEqual([900n, 0n]);
      expect(atProcessor(payment)).toHaveLength(1);
      expect(await events(payment)).toHaveLength(1);
      await expectConsistent(payment);
    },
  );

  it('gets its answer by a repeat with the same key', async () => {
    const payment = await paid();
    harness.processor.webhooks.hold();
    harness.processor.faults.cut(CREATE_REFUND, 'after', 2);
    await refund(payment, 600n, 'lost');
    expect((await refund(payment, 600n, 'lost')).refund?.status).toBe('succeeded');
    expect(atProcessor(payment)).toHaveLength(1);
  });
});

it('gives the reservation back when the processor refuses', async () => {
  const payment = await paid();
  harness.processor.webhooks.hold();
  harness.processor.openDispute(payment.payment);
  await expect(refund(payment)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('charged back'),
  });
  expect(await wallet(payment)).toEqual([1_500n, 0n]);
  expect((await read(payment)).refunds).toMatchObject([{ status: 'failed' }]);
  expect(await events(payment)).toEqual([]);
  await expectConsistent(payment);
});

it("credits the wallet again when the payer's bank returns the refund", async () => {
  const payment = await paid();
  await refund(payment, 500n);
  harness.processor.failRefund(atProcessor(payment)[0]?.id ?? '');
  await harness.settled();
  expect(await wallet(payment)).toEqual([1_500n, 0n]);
  expect(await read(payment)).toMatchObject({ refundableCents: 1_500n, refunds: [{ status: 'failed' }] });
  await expectConsistent(payment);
});

it('counts refunds that were made at the processor itself', async () => {
  const payment = await paid();
  await harness.stripe.refunds.create({ payment_intent: payment.payment, amount: 1_000 });
  await harness.settled();
  expect(await read(payment)).toMatchObject({ refundableCents: 500n, refunds: [] });
});

it('rejects payments that cannot be refunded', async () => {
  const payment = await paid();
  const stranger = { ...payment, owner: ownerPrincipal() };
  await expect(refund(stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(read(stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(refund({ ...payment, id: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(refund(payment, -1n)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  const { owner, customerId } = payment;
  const open = await harness.payments.createWalletTopUp(
    { customerId, creditAmountCents: 900n, ...URLS },
    callAs(owner),
  );
  await expect(refund({ ...payment, id: open.topUp?.id ?? '' })).rejects.toMatchObject({ code: 'CONFLICT' });
  await harness.billing.deleteCustomer({ id: customerId }, callAs(owner));
  await expect(refund(payment)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('deleted'),
  });
  expect((await read(payment)).refundableCents).toBe(0n);
});
