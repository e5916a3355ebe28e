// Checks our calls to the card processor against Stripe's own mock, which is generated from its API description and knows
// every path and parameter.

import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { freePort } from '@tollgate/runtime/free-port';
import { type ProcessorRequest, waitUntil } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import { callAs, ECHO, ownerPrincipal } from '../testing/ledger-harness.js';
import {
  makeCustomer,
  makeTier,
  type PaymentsHarness,
  startPaymentsHarness,
  URLS,
} from '../testing/payments-harness.js';

const SOURCES = fileURLToPath(new URL('../operations/payments', import.meta.url));

/** Every library call in the source with the request that it makes. */
const CALLS: Record<string, RegExp> = {
  'customers.create': /^POST \/v1\/customers$/,
  'customers.update': /^POST \/v1\/customers\/cus_\w+$/,
  'customers.retrieve': /^GET \/v1\/customers\/cus_\w+$/,
  'customers.listPaymentMethods': /^GET \/v1\/customers\/cus_\w+\/payment_methods$/,
  'billingPortal.sessions.create': /^POST \/v1\/billing_portal\/sessions$/,
  'checkout.sessions.create': /^POST \/v1\/checkout\/sessions$/,
  'checkout.sessions.expire': /^POST \/v1\/checkout\/sessions\/cs_\w+\/expire$/,
  'checkout.sessions.list': /^GET \/v1\/checkout\/sessions$/,
  'checkout.sessions.retrieve': /^GET \/v1\/checkout\/sessions\/cs_\w+$/,
  'disputes.list': /^GET \/v1\/disputes$/,
  'invoicePayments.list': /^GET \/v1\/invoice_payments$/,
  'invoices.createPreview': /^POST \/v1\/invoices\/create_preview$/,
  'invoices.list': /^GET \/v1\/invoices$/,
  'invoices.retrieve': /^GET \/v1\/invoices\/in_\w+$/,
  'paymentIntents.create': /^POST \/v1\/payment_intents$/,
  'paymentIntents.list': /^GET \/v1\/payment_intents$/,
  'paymentIntents.retrieve': /^GET \/v1\/payment_intents\/pi_\w+$/,
  'paymentMethods.detach': /^POST \/v1\/payment_methods\/pm_\w+\/detach$/,
  'prices.create': /^POST \/v1\/prices$/,
  'prices.list': /^GET \/v1\/prices$/,
  'prices.retrieve': /^GET \/v1\/prices\/price_\w+$/,
  'products.create': /^POST \/v1\/products$/,
  'products.update': /^POST \/v1\/products\/[\w-]+$/,
  'refunds.create': /^POST \/v1\/refunds$/,
  'refunds.list': /^GET \/v1\/refunds$/,
  'setupIntents.create': /^POST \/v1\/setup_intents$/,
  'setupIntents.retrieve': /^GET \/v1\/setup_intents\/seti_\w+$/,
  'subscriptions.cancel': /^DELETE \/v1\/subscriptions\/sub_\w+$/,
  'subscriptions.create': /^POST \/v1\/subscriptions$/,
  'subscriptions.list': /^GET \/v1\/subscriptions$/,
  'subscriptions.retrieve': /^GET \/v1\/subscriptions\/sub_\w+$/,
  'subscriptions.update': /^POST \/v1\/subscriptions\/sub_\w+$/,
};

it('lists exactly the calls of the source', () => {
  const text = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(`${SOURCES}/${file}`, 'utf8'))
    .join('\n');
  const calls = [...text.matchAll(/\bstripe\.((?:\w+\.)+\w+)\(/g)].map((match) => match[1] ?? '');
  const inSource = new Set(calls.filter((name) => !name.startsWith('webhooks.')));
  expect([...inSource].sort()).toEqual(Object.keys(CALLS).sort());
});

describeWith('STRIPE_MOCK', 'compared with stripe-mock', heldAgainst);

function heldAgainst(program: string): void {
  let harness: PaymentsHarness;
  let mock: ChildProcess;
  let baseUrl: string;

  beforeAll(async () => {
    const [port, tlsPort] = [await freePort(), await freePort()];
    baseUrl = `http://127.0.0.1:${port}`;
    mock = spawn(program, ['-http-port', String(port), '-https-port', String(tlsPort)], { stdio: 'ignore' });
    harness = await startPaymentsHarness('processor_contract');
    await makeEveryCall(harness);
    const isUp = async () => (await fetch(baseUrl).catch(() => undefined)) !== undefined;
    await waitUntil(isUp, { what: 'stripe-mock' });
  });
  afterAll(async () => {
    mock?.kill();
    await harness?.stop();
  });

  it.each(Object.entries(CALLS))('sends an address and parameters that Stripe knows: %s', async (_, pattern) => {
    const requests = harness.processor.requests().filter(({ method, path }) => pattern.test(`${method} ${path}`));
    expect(requests.length).toBeGreaterThan(0);
    const shapes = new Map(requests.map((request) => [toShape(request), request]));
    for (const request of shapes.values()) expect(await verdictOn(request)).toEqual([200, undefined]);
  });

  async function verdictOn({ method, path, query, body }: ProcessorRequest): Promise<[number, string | undefined]> {
    const response = await fetch(`${baseUrl}${path}${query ? `?${query}` : ''}`, {
      method,
      headers: { authorization: 'Bearer sk_test_123', 'content-type': 'application/x-www-form-urlencoded' },
      ...(body && { body }),
    });
    const answer = (await response.json()) as { error?: { message: string } };
    return [response.status, answer.error?.message];
  }
}

/** Requests with the same parameter names count as one. */
function toShape({ query, body }: ProcessorRequest): string {
  return [...new URLSearchParams(body || query).keys()].join('&');
}

/** Runs every operation, including rare paths. */
async function makeEveryCall(harness: PaymentsHarness): Promise<void> {
  const owner = ownerPrincipal();
  const call = callAs(owner);
  const { payments, processor, stripe } = harness;
  await makeTier(harness, owner, { tierCode: 'free', isDefault: true });
  await makeTier(harness, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  await makeTier(harness, owner, { tierCode: 'pro', priceCents: 2_000, trialDays: 7 });
  await makeTier(harness, owner, { tierCode: 'max', priceCents: 9_000 });
  await makeTierPrices(harness, owner);
  const id = await makeCustomer(harness, owner, 'free');
  const tier = (tierCode: string) => ({ case: 'tierCode' as const, value: tierCode });
  const twice = [
    await payments.createCheckout({ customerId: id, tier: tier('pro'), ...URLS }, call),
    await payments.createCheckout({ customerId: id, tier: tier('max'), ...URLS }, call),
  ];
  for (const { sessionId } of twice) {
    processor.pay(sessionId);
    await harness.settled();
    harness.clock.advance({ seconds: 2 });
  }
  const { sessionId } = await payments.createCheckout({ tier: tier('pro'), ...URLS }, call);
  processor.pay(sessionId);
  await payments.previewTierChange({ customerId: id, tierCode: 'pro' }, call);
  await payments.changeTier({ customerId: id, tierCode: 'pro' }, call);
  await payments.createBillingPortal({ customerId: id, returnUrl: URLS.successUrl }, call);
  await payments.changeTier({ customerId: id, tierCode: 'free' }, call);
  await harness.pass({ days: 40 });
  processor.webhooks.hold();
  processor.faults.cut(/POST \/v1\/subscriptions$/, 'after', 2);
  await payments.changeTier({ customerId: id, tierCode: 'max' }, call).catch(() => undefined);

  await harness.billing.updateCustomer({ id, email: 'changed@example.com' }, callAs(owner));
  const isGiven = ({ method, path }: ProcessorRequest) => method === 'POST' && /^\/v1\/customers\/\w+$/.test(path);
  await waitUntil(() => processor.requests().some(isGiven), { what: 'the changed email at the processor' });

  const wallet = await makeCustomer(harness, owner, 'paygo');
  const topUp = await payments.createWalletTopUp({ customerId: wallet, creditAmountCents: 900n, ...URLS }, call);
  const paid = processor.pay(topUp.topUp?.sessionId ?? '');
  await stripe.refunds.create({ payment_intent: paid.payment_intent ?? '' });

  const setup = await payments.startCardSetup({}, call);
  await stripe.setupIntents.confirm(setup.setupIntentId, { payment_method: 'pm_card_visa' });
  await payments.confirmCardSetup({ setupIntentId: setup.setupIntentId }, call);
  processor.faults.cut(/POST \/v1\/payment_intents$/, 'before', 2);
  await payments.setAutoTopUp({ enabled: true, thresholdCents: 500n, amountCents: 900n }, call);
  const asked = (pattern: RegExp) => processor.requests().some(({ method, path }) => pattern.test(`${method} ${path}`));
  await waitUntil(async () => (await payments.listAccountTopUps({}, call)).topUps.length === 1, {
    what: 'the charge that was cut',
  });
  harness.clock.advance({ minutes: 5 });
  for (const pattern of [/^GET \/v1\/payment_intents$/, /^GET \/v1\/subscriptions$/])
    await waitUntil(() => asked(pattern), { what: `a look-up ${pattern}` });
  await waitUntil(async () => (await harness.billing.getAccountBalance({}, call)).balanceMicrocents > 0n, {
    what: 'the charge in the end',
  });
  const verification = await payments.startCardVerification(URLS, call);
  processor.pay(verification.checkoutSessionId, { card: 'pm_card_new' });
  await payments.confirmCardVerification({ checkoutSessionId: verification.checkoutSessionId }, call);
  processor.pay((await payments.startCardSetupCheckout(URLS, call)).checkoutSessionId, { card: 'pm_card_new' });
  await payments.deleteAutoTopUp({}, call);
  processor.webhooks.release();
  await harness.settled();
  await undoEveryPurchase(harness, owner);
}

/** Makes the price of a tier that names none, after answers that were lost, and renames the tier. */
async function makeTierPrices(
  { billing, clock, payments, processor }: PaymentsHarness,
  owner: Principal,
): Promise<void> {
  processor.faults.cut(/POST \/v1\/prices$/, 'after', 4);
  const priced = {
    tierCode: 'made',
    displayName: 'Made',
    models: [{ modelId: ECHO }],
    priceAmountCents: 700n,
    allowPromotionCodes: true,
  };
  const id = (await billing.createTier(priced, callAs(owner))).tier?.id ?? '';
  const isMade = async () => {
    clock.advance({ minutes: 1 });
    return (await billing.getTier({ by: { case: 'id', value: id } }, callAs(owner))).tier?.priceSync === 'ready';
  };
  await waitUntil(isMade, { what: 'the price of a tier' });
  await payments.createCheckout({ tier: { case: 'tierId', value: id }, ...URLS }, callAs(owner));
  await billing.updateTier({ id, values: { displayName: 'Renamed' }, updateMask: ['display_name'] }, callAs(owner));
}

/** Deletes customers with purchases in every state. */
async function undoEveryPurchase(harness: PaymentsHarness, owner: Principal): Promise<void> {
  const call = callAs(owner);
  const { billing, payments, processor } = harness;
  const tier = { case: 'tierCode' as const, value: 'max' };
  const hasListedPages = () =>
    processor.requests().some(({ method, path }) => /^GET \/v1\/checkout\/sessions$/.test(`${method} ${path}`));
  const [buyer, lost, trialist] = await Promise.all([1, 2, 3].map(() => makeCustomer(harness, owner, 'free')));
  const open = await payments.createCheckout({ customerId: buyer ?? '', tier, ...URLS }, call);
  const paid = await payments.createCheckout({ customerId: buyer ?? '', tier, ...URLS }, call);
  processor.faults.cut(/POST \/v1\/checkout\/sessions$/, 'after', 2);
  await payments.createCheckout({ customerId: lost ?? '', tier, ...URLS }, call).catch(() => undefined);
  const trial = { customerId: trialist ?? '', tier: { case: 'tierCode' as const, value: 'pro' }, ...URLS };
  const pages = [await payments.createCheckout(trial, call), await payments.createCheckout(trial, call)];
  for (const { sessionId } of pages) {
    processor.setSubscriptionStatus(processor.pay(sessionId).subscription ?? '', 'trialing');
    await harness.settled();
    harness.clock.advance({ seconds: 2 });
  }
  const endsTrial = ({ body }: { body: string }) => body.includes('trial_end=now');
  await waitUntil(() => processor.requests().some(endsTrial), { what: 'the end of a trial' });
  processor.webhooks.hold();
  processor.pay(paid.sessionId);
  await billing.deleteCustomer({ id: buyer ?? '' }, call);
  await billing.deleteCustomer({ id: lost ?? '' }, call);
  processor.webhooks.release();
  await waitUntil(
    () => {
      harness.clock.advance({ minutes: 1 });
      const { store } = processor;
      const refunded = store.all('refund').some(({ amount }) => amount === 9_000);
      const isExpired = store.get('checkout.session', open.sessionId)?.status === 'expired';
      // The lost page of a deleted customer is looked for apart from the others.
      return refunded && isExpired && hasListedPages();
    },
    { what: 'the purchases to be undone' },
  );
}
