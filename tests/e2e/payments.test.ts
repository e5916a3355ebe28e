// Purchases and top-ups through the public API and the processor's page.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, type Json, type PaymentProcessor, waitUntil } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import { type Browser, openBrowser } from '../system/browser.js';
import { must, SANDBOX_MODEL, type TestProject } from '../system/start-system.js';
import { useSystem } from '../system/use-system.js';

const MODELS = [{ model_id: SANDBOX_MODEL, is_default: true }];

let processor: PaymentProcessor;
const system = useSystem({
  env: {
    AUTO_TOPUP_INTERVAL: '50ms',
    SIGNUP_CREDIT_CENTS: '700',
  },
});
let returnUrls: { success_url: string; cancel_url: string };

beforeAll(async () => {
  processor = system.processor;
  const back = (outcome: string) => `${system.baseUrl}/billing/checkout-return?outcome=${outcome}`;
  returnUrls = { success_url: back('success'), cancel_url: back('cancel') };
});

/** A project with a default free tier that permits no spend, a paid one and a wallet. */
async function shop(): Promise<{ project: TestProject; tiers: Record<string, Json> }> {
  const project = await system.project();
  const form = new URLSearchParams({ currency: 'usd', unit_amount: '2000', 'recurring[interval]': 'month' });
  form.set('product_data[name]', 'Pro');
  const headers = { authorization: 'Bearer sk_test_system' };
  const price = (await (
    await fetch(`${processor.baseUrl}/v1/prices`, { method: 'POST', body: form, headers })
  ).json()) as Json;
  const paid = {
    price_amount_cents: 2_000,
    price_currency: 'usd',
    price_interval: 'month',
    billing_price_ref: price.id,
  };
  const wishes = [
    { tier_code: 'free', spend_limit_cents: 0, is_default: true },
    { tier_code: 'pro', spend_limit_cents: 1_000, ...paid },
    { tier_code: 'wallet', billing_mode: 'paygo' },
  ];
  const tiers: Record<string, Json> = {};
  for (const wish of wishes) {
    const body = { display_name: wish.tier_code, models: MODELS, ...wish };
    tiers[wish.tier_code] = must(await project.owner.post(`/projects/${project.id}/tiers`, body), 201).tier;
  }
  return { project, tiers };
}

async function createCustomer({ api }: TestProject, tier_code: string): Promise<{ id: string; api: ApiClient }> {
  const body = { external_id: `user-${Math.random()}`, email: 'user@example.com' };
  const { customer } = must(await api.post('/customers', body), 201);
  const minted = must(await api.post('/auth/customer-token', { customer_id: customer.id, tier_code }), 200);
  return { id: customer.id, api: api.as(minted.token) };
}

const ask = (api: ApiClient) =>
  api.post('/responses', {
    model: SANDBOX_MODEL,
    input: [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'hello' }] }],
  });
const submit = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

/** Waits until the customer's page shows the subscription state. */
async function untilOn(api: ApiClient, tier: string): Promise<Json> {
  const read = async () => must(await api.get('/customers/me/subscription'), 200).subscription;
  await waitUntil(async () => (await read()).tier_code === tier, { what: `tier ${tier}` });
  return read();
}

describe('a customer', () => {
  it('lets a customer buy the paid tier after a decline and a cancellation, and downgrade at period end', async () => {
    const { project } = await shop();
    const { api } = await createCustomer(project, 'free');
    expect((await ask(api)).body).toMatchObject({ status_code: 402, code: 'TIER_ALLOWANCE_EXHAUSTED' });
    const opened = must(await api.post('/customers/me/checkout', { tier_code: 'pro', ...returnUrls }), 200);
    expect((await submit(opened.url, { do: 'decline' })).status).toBe(402);
    expect((await submit(opened.url, { do: 'cancel' })).headers.get('location')).toBe(returnUrls.cancel_url);
    expect((await ask(api)).status).toBe(402);
    const paid = await submit(opened.url, { do: 'pay', card: 'pm_card_visa' });
    expect(paid.headers.get('location')).toBe(returnUrls.success_url);
    expect(await untilOn(api, 'pro')).toMatchObject({ subscription_status: 'active', billing_provider: 'stripe' });
    expect((await ask(api)).status).toBe(200);

    const down = must(await api.post('/customers/me/change-tier', { tier_code: 'free' }), 200);
    expect(down).toMatchObject({ action: 'scheduled_cancellation', subscription: { tier_code: 'pro' } });
    const again = await api.post('/customers/me/change-tier', { tier_code: 'pro' });
    expect(again.body.action).toBe('unchanged');
    const [subscription] = processor.store.all('subscription').slice(-1);
    processor.setSubscriptionStatus(subscription?.id ?? '', 'canceled');
    await untilOn(api, 'free');
    const up = must(await api.post('/customers/me/change-tier', { tier_code: 'pro' }), 200);
    expect(up).toMatchObject({ action: 'upgraded', subscription: { tier_code: 'pro', price_amount_cents: 2_000 } });
    expect((await project.verify()).differences).toEqual([]);
  });

  it('lets a customer buy a plan that has only an amount and an interval', async () => {
    const project = await system.project();
    const path = `/projects/${project.id}/tiers`;
    const free = { tier_code: 'free', display_name: 'Free', models: MODELS, is_default: true };
    must(await project.owner.post(path, free), 201);
    const plan = { tier_code: 'team', display_name: 'Team', models: MODELS };
    const team = must(
      await project.owner.post(path, { ...plan, price_amount_cents: 4_900, price_interval: 'year' }),
      201,
    ).tier;
    expect(team).toMatchObject({ price_sync: 'ready', billing_price_ref: expect.stringMatching(/^price_/) });
    const { api } = await createCustomer(project, 'free');
    const opened = must(await api.post('/customers/me/checkout', { tier_code: 'team', ...returnUrls }), 200);
    await submit(opened.url, { do: 'pay', card: 'pm_card_visa' });
    expect(await untilOn(api, 'team')).toMatchObject({ subscription_status: 'active', price_amount_cents: 4_900 });
    const dearer = must(await project.owner.put(`${path}/${team.id}`, { price_amount_cents: 5_900 }), 200).tier;
    expect(dearer.billing_price_ref).not.toBe(team.billing_price_ref);
    const kept = must(await api.get('/customers/me/subscription'), 200).subscription;
    expect(kept).toMatchObject({ tier_code: 'team', price_amount_cents: 4_900 });
  });

  it('fills an empty wallet and is served; a refund is taken from it', async () => {
    const { project } = await shop();
    const { api, id } = await createCustomer(project, 'wallet');
    expect((await ask(api)).body).toMatchObject({ status_code: 402, code: 'WALLET_EMPTY' });
    const opened = must(await api.post('/customers/me/topup', { credit_amount_cents: 1_500, ...returnUrls }), 201);
    expect(opened).toMatchObject({ credit_amount_cents: 1_500, status: 'pending', checkout_url: opened.url });
    await submit(opened.url, { do: 'pay', card: 'pm_card_visa' });
    const balance = async () => must(await api.get('/customers/me/balance'), 200).balance_microcents;
    await waitUntil(async () => (await balance()) === 1_500_000_000, { what: 'the credit' });
    expect((await ask(api)).status).toBe(200);
    const { entries } = must(await project.api.get(`/customers/${id}/balance/history`), 200);
    expect(entries.map((entry: Json) => entry.reason)).toEqual(['API usage', 'top-up']);
    const twin = await project.api.post(`/customers/${id}/topup`, { credit_amount_cents: 499, ...returnUrls });
    expect(twin.status).toBe(400);
    expect((await project.verify()).differences).toEqual([]);
  });

  it('creates a customer for a new payer of a tier, which the email can claim', async () => {
    const { project, tiers } = await shop();
    expect((await project.publishable.post(`/tiers/${tiers.pro.id}/checkout`, returnUrls)).status).toBe(403);
    const { url } = must(await project.api.post(`/tiers/${tiers.pro.id}/checkout`, returnUrls), 200);
    await submit(url, { do: 'pay', card: 'pm_card_visa', email: 'newcomer@example.org' });
    const claim = () =>
      project.publishable.post('/customers/claim', { email: 'newcomer@example.org', provider: 'github', subject: '1' });
    const isThere = async () => (await claim()).body.subscription?.tier_code === 'pro';
    await waitUntil(isThere, { what: 'the customer' });
    const claimed = must(await claim(), 200);
    expect(claimed.customer.email).toBe('newcomer@example.org');
    const minted = must(await project.api.post('/auth/customer-token', { customer_id: claimed.customer.id }), 200);
    expect((await ask(project.api.as(minted.token))).status).toBe(200);
  });
});

describe('an owner', () => {
  it('verifies a card for the signup credit, tops up by hand and then automatically', async () => {
    const project = await system.project({ fundsCents: 0 });
    const { owner } = project;
    const cents = async () => must(await owner.get('/account/balance'), 200).balance_microcents / 1_000_000;
    const verification = must(await owner.post('/account/card-verification', {}), 201);
    const confirm = () =>
      owner.post('/account/card-verification/confirm', { checkout_session_id: verification.checkout_session_id });
    expect((await confirm()).status).toBe(409);
    await submit(verification.checkout_url, { do: 'pay', card: 'pm_card_mastercard_prepaid' });
    expect((await confirm()).status).toBe(422);
    const second = must(await owner.post('/account/card-verification', {}), 201);
    await submit(second.checkout_url, { do: 'pay', card: 'pm_card_new' });
    const body = { checkout_session_id: second.checkout_session_id };
    expect(must(await owner.post('/account/card-verification/confirm', body), 200)).toMatchObject({
      verified: true,
      credit_granted: true,
      grant_amount_cents: 700,
    });
    expect(await cents()).toBe(700);

    const top = must(await owner.post('/account/topup', { amount_cents: 1_000 }), 201);
    await submit(top.checkout_url, { do: 'pay', card: 'pm_card_visa' });
    await waitUntil(async () => (await cents()) === 1_700, { what: 'the top-up' });
    expect(must(await owner.get(`/account/topups/${top.id}`), 200).status).toBe('completed');

    const auto = { enabled: true, threshold_cents: 2_000, amount_cents: 5_000 };
    expect((await owner.put('/account/billing/auto-topup', auto)).status).toBe(409);
    const setup = must(await owner.post('/account/billing/auto-topup/setup', {}), 200);
    const page = `${processor.baseUrl}/setup/${setup.setup_intent_id}`;
    await submit(page, { client_secret: setup.client_secret, do: 'pay', card: 'pm_card_visa' });
    const kept = await owner.post('/account/billing/auto-topup/confirm', { setup_intent_id: setup.setup_intent_id });
    expect(must(kept, 200).payment_method).toMatchObject({ brand: 'visa', last4: '4242' });
    must(await owner.put('/account/billing/auto-topup', auto), 200);
    await waitUntil(async () => (await cents()) === 6_700, { what: 'the automatic top-up' });
    expect(must(await owner.get('/account/topups'), 200).topups).toMatchObject([{ automatic: true }, { id: top.id }]);
    expect((await owner.delete('/account/billing/auto-topup')).status).toBe(204);
    expect((await project.verify()).differences).toEqual([]);
  });
});

describe('deletion', () => {
  it('refuses a project with 409 and the count while its customers have running subscriptions', async () => {
    const { project } = await shop();
    must(await project.owner.post('/projects', { name: 'another' }), 201);
    const { api } = await createCustomer(project, 'free');
    const opened = must(await api.post('/customers/me/checkout', { tier_code: 'pro', ...returnUrls }), 200);
    await submit(opened.url, { do: 'pay', card: 'pm_card_visa' });
    const { billing_subscription_id } = await untilOn(api, 'pro');
    const remove = () => project.owner.delete(`/projects/${project.id}`);
    const refused = await remove();
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    expect(refused.body.message).toContain('1 running subscription');
    processor.setSubscriptionStatus(billing_subscription_id, 'canceled');
    expect((await remove()).status).toBe(204);
  });

  it('expires the pages of a customer, forfeits its wallet and refunds a late payment', async () => {
    const { project } = await shop();
    const { api, id } = await createCustomer(project, 'wallet');
    const open = async () =>
      must(await api.post('/customers/me/topup', { credit_amount_cents: 1_500, ...returnUrls }), 201);
    const first = await open();
    await submit(first.url, { do: 'pay', card: 'pm_card_visa' });
    const balance = async () => must(await api.get('/customers/me/balance'), 200).balance_microcents;
    await waitUntil(async () => (await balance()) === 1_500_000_000, { what: 'the credit' });
    const [unpaid, late] = [await open(), await open()];
    processor.webhooks.hold();
    const { payment_intent } = processor.pay(late.session_id);
    expect((await project.api.delete(`/customers/${id}`)).status).toBe(204);
    processor.webhooks.release();
    const { store } = processor;
    const isOver = () =>
      store.get('checkout.session', unpaid.session_id)?.status === 'expired' &&
      store.all('refund').some((refund) => refund.payment_intent === payment_intent && refund.amount === 1_500);
    await waitUntil(isOver, { what: 'the end of both pages' });
    expect((await submit(unpaid.url, { do: 'pay', card: 'pm_card_visa' })).status).toBe(410);
    const usage = must(await project.owner.get('/account/usage'), 200);
    expect(usage.forfeited_microcents).toBe(1_500_000_000);
    expect((await project.verify()).differences).toEqual([]);
  });
});

describeWith('CHROMIUM_PATH', 'in a browser, without scripts', (chromium) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(chromium);
  });
  afterAll(() => browser?.close());

  it('lets a person buy the paid tier after a declined card', async () => {
    const { project, tiers } = await shop();
    const { api, id } = await createCustomer(project, 'free');
    const opened = must(
      await project.api.post(`/customers/${id}/subscribe`, { tier_id: tiers.pro.id, ...returnUrls }),
      201,
    );
    await browser.open(opened.url);
    expect(await browser.html()).toContain('$20.00');
    await browser.click('button[value=decline]');
    expect(await browser.html()).toContain('Your card was declined');
    await browser.click('button[value=pay]');
    expect(await browser.html()).toContain('Thank you');
    expect((await untilOn(api, 'pro')).subscription_status).toBe('active');
  });

  it('credits a wallet paid with another card, and nothing when the person cancels', async () => {
    const { project } = await shop();
    const { api } = await createCustomer(project, 'wallet');
    const body = { credit_amount_cents: 2_500, ...returnUrls };
    await browser.open(must(await api.post('/customers/me/topup', body), 201).url);
    await browser.pick('input[value=pm_card_mastercard]');
    await browser.click('button[value=pay]');
    const balance = async () => must(await api.get('/customers/me/balance'), 200).balance_microcents;
    await waitUntil(async () => (await balance()) === 2_500_000_000, { what: 'the credit' });
    await browser.open(must(await api.post('/customers/me/topup', body), 201).url);
    await browser.click('button[value=cancel]');
    expect(await browser.url()).toBe(returnUrls.cancel_url);
    expect(await balance()).toBe(2_500_000_000);
  });

  it('creates a customer when a new payer buys a tier with an email', async () => {
    const { project, tiers } = await shop();
    await browser.open(must(await project.api.post(`/tiers/${tiers.pro.id}/checkout`, returnUrls), 200).url);
    await browser.fill('input[name=email]', 'browser@example.org');
    await browser.click('button[value=pay]');
    const emails = async () =>
      must(await project.api.get('/customers'), 200).customers.map((entry: Json) => entry.customer.email);
    await waitUntil(async () => (await emails()).includes('browser@example.org'), {
      what: 'the new customer',
    });
  });
});
