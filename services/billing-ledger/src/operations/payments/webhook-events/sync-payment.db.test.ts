import { expect, it } from '@jest/globals';
import { callAs, ownerPrincipal } from '../../../testing/ledger-harness.js';
import { URLS } from '../../../testing/payments-harness.js';
import { usePayments } from '../../../testing/use-payments.js';

const harness = usePayments('sync_payment');

const CENT = 1_000_000n;

async function paidAccount() {
  const owner = ownerPrincipal();
  const { topUp } = await harness.payments.createAccountTopUp({ amountCents: 2_500n, ...URLS }, callAs(owner));
  const payment = harness.processor.pay(topUp?.sessionId ?? '').payment_intent ?? '';
  await harness.settled();
  const cents = async () => (await harness.billing.getAccountBalance({}, callAs(owner))).balanceMicrocents / CENT;
  return { payment, cents };
}

it('debits what the processor withdrew for a dispute in another currency', async () => {
  const { payment, cents } = await paidAccount();
  const withdrawn = { amount: 1_087, currency: 'usd' };
  const { id } = harness.processor.openDispute(payment, { amount: 150_000, currency: 'jpy', withdrawn });
  await harness.settled();
  expect(await cents()).toBe(2_500n - 1_087n);
  harness.processor.closeDispute(id, 'won');
  await harness.settled();
  expect(await cents()).toBe(2_500n);
});

it('debits the whole payment for a dispute that was withdrawn in another currency too', async () => {
  const { payment, cents } = await paidAccount();
  harness.processor.openDispute(payment, { amount: 150_000, currency: 'jpy' });
  await harness.settled();
  expect(await cents()).toBe(0n);
});
