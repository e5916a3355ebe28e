// The customer portal in a browser, with the ledger checked, and the frames that may show it.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiClient, Json } from '@tollgate/testkit';
import { waitUntil } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import type { Browser, Page } from 'playwright-core';
import { must, SANDBOX_MODEL, type System, type TestProject } from '../system/start-system.js';
import { type ConsolePage, openChromium, openConsole } from './console-page.js';
import { startWithLocalOwner } from './local-owner.js';
import { pageActions } from './page-actions.js';

const MODELS = [{ model_id: SANDBOX_MODEL, is_default: true }];

interface Shopper {
  id: string;
  api: ApiClient;
}

describeWith('CHROMIUM_PATH', 'the customer portal', (chromium) => {
  let system: System;
  let browser: Browser;
  let project: TestProject;
  let shown: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    ({ system, project } = await startWithLocalOwner());
    await makeTiers(system, project);
    browser = await openChromium(chromium);
  });
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
  });
  beforeEach(async () => {
    must(await project.owner.put(`/projects/${project.id}`, { portal_color: '#b91c1c', portal_origins: [] }), 200);
    shown = await openConsole(browser, system.stack.httpUrl, [new URL(system.processor.baseUrl).origin]);
    page = shown.page;
  });
  afterEach(() => shown?.close());

  async function shopperOn(tier_code: string): Promise<Shopper> {
    const body = { external_id: `user-${Math.random()}`, email: 'ada@example.com' };
    const { customer } = must(await project.api.post('/customers', body), 201);
    const minted = must(await project.api.post('/auth/customer-token', { customer_id: customer.id, tier_code }), 200);
    return { id: customer.id, api: project.api.as(minted.token) };
  }

  async function createLink({ id }: Shopper, body: object = {}): Promise<string> {
    return must(await project.api.post(`/customers/${id}/portal-session`, body), 201).url;
  }

  const see = (text: string | RegExp, on = page) => on.getByText(text).first().waitFor();
  const { press } = pageActions(() => page);
  const choose = (tab: string) => page.getByRole('tab', { name: tab }).click();
  async function enter(shopper: Shopper, body: object = {}): Promise<void> {
    await page.goto(await createLink(shopper, body));
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await shown.waitUntilLoaded();
  }
  /** The payment page is in another tab: the portal keeps its session in memory. */
  async function pay(): Promise<void> {
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Go to the payment page' }).click();
    const checkout = await opened;
    await checkout.locator('button[value=pay]').click();
    await checkout.getByText('Thank you').waitFor();
    await checkout.close();
  }
  async function expectSound(): Promise<void> {
    expect(await project.verify()).toMatchObject({ differences: [] });
    expect(shown.faults).toEqual([]);
  }

  it('shows every page with its data, accessible in both colors, on a phone too', async () => {
    const shopper = await shopperOn('wallet');
    const { api } = project;
    const credit = { amount_cents: 500, reason: 'promo' };
    const headers = { 'Idempotency-Key': 'welcome' };
    must(await api.send('POST', `/customers/${shopper.id}/credit`, credit, headers), 201);
    const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'Hello' }] }];
    must(await shopper.api.post('/responses', { model: SANDBOX_MODEL, input }), 200);
    await enter(shopper, { return_url: 'https://app.example.com/account' });
    const pages: [string, string][] = [
      ['Overview', 'Usage by day'],
      ['Plan', 'Your plan'],
      ['Payments', 'sandbox/echo-1'],
      ['Devices', 'This page'],
    ];
    for (const [tab, text] of pages) {
      await choose(tab);
      await see(text);
      await shown.waitUntilLoaded();
      expect([tab, await shown.measureOverflow()]).toEqual([tab, 0]);
      for (const isDark of [false, true]) {
        await shown.setDark(isDark);
        expect(await shown.findBarriers()).toEqual([]);
        await shown.keepPicture(`portal-${tab.toLowerCase()}-${isDark ? 'dark' : 'light'}`);
      }
    }
    const back = page.getByRole('link', { name: /^Back to/ });
    expect(await back.getAttribute('href')).toBe('https://app.example.com/account');
    await expectSound();
  });

  it('removes the code from the address, and opens a link once', async () => {
    const shopper = await shopperOn('free');
    const link = await createLink(shopper);
    await page.goto(link);
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    expect(page.url()).toBe(link.replace(/#.*/, ''));
    const kept = await page.evaluate<string>('JSON.stringify([document.cookie, localStorage])');
    expect(kept).not.toMatch(/eyJ|_sk_|rt_/);
    for (const address of [link, link.replace(/#.*/, ''), `${system.stack.httpUrl}/portal`]) {
      const other = await page.context().newPage();
      await other.goto(address);
      await other.getByRole('heading', { name: 'This link does not work' }).waitFor();
      await other.close();
    }
    await expectSound();
  });

  it('survives a reload of its tab, and starts the session of a new link in the same tab', async () => {
    const [first, second] = [await shopperOn('free'), await shopperOn('wallet')];
    await enter(first);
    await page.reload();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await see('Left in this period');
    const other = await createLink(second);
    await page.evaluate(`location.href = ${JSON.stringify(other)}`);
    await see('Balance');
    expect(page.url()).toBe(other.replace(/#.*/, ''));
    await press('Sign out');
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    expect(shown.faults).toEqual([]);
  });

  it('credits the wallet after a payment, and shows the receipt', async () => {
    const shopper = await shopperOn('wallet');
    await enter(shopper);
    await press('Top up');
    await page.getByLabel('Amount').fill('12');
    await press('Continue');
    await pay();
    await see('Payment received');
    await see('$12.00');
    const { balance_microcents } = must(await shopper.api.get('/customers/me/balance'), 200);
    expect(balance_microcents).toBe(1_200_000_000);
    await choose('Payments');
    await press('Receipt');
    const receipt = page.getByRole('dialog', { name: 'Receipt' });
    for (const text of ['Top-up of the wallet', '$12.00', 'ada@example.com']) await receipt.getByText(text).waitFor();
    expect(await shown.findBarriers()).toEqual([]);
    await shown.keepPicture('portal-receipt');
    await expectSound();
  });

  it('shows the cost and the losses of a plan before the change, and then does just that', async () => {
    const shopper = await shopperOn('free');
    await enter(shopper);
    await choose('Plan');
    await press('Choose Pro');
    for (const text of ['You pay $20.00 now.', /^The next payment is \$20\.00 on /, 'Your usage limit changes from'])
      await see(text);
    await shown.keepPicture('portal-plan-consequences');
    await press('Continue to the payment');
    await pay();
    await see('Your plan is now Pro.');
    expect(must(await shopper.api.get('/customers/me/subscription'), 200).subscription.tier_code).toBe('pro');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

    await press('Choose Max');
    await see(/^You pay \$70\.00 now\.$/);
    await press('Change plan');
    await see('Plan changed');
    const [invoice] = system.processor.store.all('invoice').slice(-1);
    expect(invoice).toMatchObject({ billing_reason: 'subscription_update', amount_paid: 7_000 });

    await press('Choose Pro');
    await see(/^\$70\.00 of what you have paid is deducted from later payments\.$/);
    await see(/^It covers the next regular payment, \$20\.00 on .*: you pay nothing then\.$/);
    expect(await page.getByText('The next payment is').count()).toBe(0);
    await press('Cancel');

    await press('Choose Free');
    for (const text of [/^You keep Max until .* Then your plan is Free\.$/, 'You pay nothing now.']) await see(text);
    await press('Change plan');
    await waitUntil(
      () =>
        page
          .getByRole('dialog')
          .count()
          .then((count) => count === 0),
      { what: 'the end of the dialog' },
    );
    const [subscription] = system.processor.store.all('subscription').slice(-1);
    expect(subscription).toMatchObject({ cancel_at_period_end: true });
    await expectSound();
  });

  it('signs another device out, and ends when it is signed out itself', async () => {
    const shopper = await shopperOn('free');
    const other = await openConsole(browser, system.stack.httpUrl);
    await other.page.goto(await createLink(shopper));
    await other.page.getByRole('heading', { name: 'Your account' }).waitFor();
    await enter(shopper, { return_url: 'https://app.example.com/' });
    await choose('Devices');
    await page
      .getByRole('button', { name: /^Sign out Chrome/ })
      .nth(1)
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await see('Device signed out');
    await other.page.getByRole('tab', { name: 'Plan' }).click();
    await other.page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await other.close();
    await press('Sign out');
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    expect(await shown.findBarriers()).toEqual([]);
    await expectSound();
  });

  it('opens from the console', async () => {
    const shopper = await shopperOn('free');
    await shown.open(`/p/${project.id}/customers/${shopper.id}`);
    await press('Continue as the local owner');
    await press('More');
    await page.getByRole('menuitem', { name: 'Open portal' }).click();
    await press('Create a link');
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Open portal' }).click();
    const portal = await opened;
    await portal.getByRole('heading', { name: 'Your account' }).waitFor();
    await see('ada@example.com', portal);
    expect(shown.faults).toEqual([]);
  });

  describe('in a frame', () => {
    let app: Server;
    let origin: string;
    let link: string;

    beforeAll(async () => {
      app = createServer((_req, res) => {
        res.setHeader('Content-Type', 'text/html');
        res.end(`<!doctype html><title>App</title><iframe title="account" src="${link}"></iframe>`);
      });
      await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
      origin = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
    });
    afterAll(() => {
      app?.close();
      app?.closeAllConnections();
    });

    const showApp = async (): Promise<Page> => {
      link = await createLink(await shopperOn('free'));
      const context = await browser.newContext();
      const embedding = await context.newPage();
      await embedding.goto(origin);
      return embedding;
    };

    it('opens where the project allows it', async () => {
      must(await project.owner.put(`/projects/${project.id}`, { portal_origins: [origin] }), 200);
      const embedding = await showApp();
      await embedding.frameLocator('iframe').getByRole('heading', { name: 'Your account' }).waitFor();
      const [, frame] = embedding.frames();
      expect(await frame?.evaluate('sessionStorage.length')).toBe(0);
      await embedding.context().close();
    });

    it('opens in no frame by default, and the link still works', async () => {
      const embedding = await showApp();
      await waitUntil(() => embedding.frames().some((frame) => frame.url().startsWith('chrome-error:')), {
        what: 'the refusal of the frame',
      });
      await embedding.context().close();
      await page.goto(link);
      await page.getByRole('heading', { name: 'Your account' }).waitFor();
    });
  });
});

/** A free default tier, two that the processor bills, and one with a wallet. */
async function makeTiers({ processor }: System, project: TestProject): Promise<void> {
  const createPrice = async (cents: number): Promise<string> => {
    const form = { currency: 'usd', unit_amount: String(cents), 'recurring[interval]': 'month' };
    const headers = { authorization: 'Bearer sk_test_system' };
    const body = new URLSearchParams({ ...form, 'product_data[name]': 'Plan' });
    const answer = await fetch(`${processor.baseUrl}/v1/prices`, { method: 'POST', body, headers });
    return ((await answer.json()) as Json).id;
  };
  const paid = async (cents: number) => ({
    price_amount_cents: cents,
    price_currency: 'usd',
    price_interval: 'month',
    billing_price_ref: await createPrice(cents),
  });
  const tiers = [
    { tier_code: 'free', display_name: 'Free', spend_limit_cents: 100, is_default: true, visibility: 'portal' },
    { tier_code: 'pro', display_name: 'Pro', spend_limit_cents: 1_000, ...(await paid(2_000)) },
    { tier_code: 'max', display_name: 'Max', ...(await paid(9_000)) },
    { tier_code: 'wallet', display_name: 'Pay as you go', billing_mode: 'paygo' },
  ];
  for (const tier of tiers) {
    must(await project.owner.post(`/projects/${project.id}/tiers`, { models: MODELS, ...tier }), 201);
  }
}
