// What an owner does in the console with tiers that have subscribers.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import type { Browser, Page } from 'playwright-core';
import { must, type System, type TestProject, UPSTREAM_MODEL } from '../system/start-system.js';
import { type ConsolePage, openChromium, openConsole } from './console-page.js';
import { startWithLocalOwner } from './local-owner.js';
import { pageActions } from './page-actions.js';

const HOUR_MS = 3_600_000;

describeWith('CHROMIUM_PATH', 'tiers in the console', (chromium) => {
  let system: System;
  let browser: Browser;
  let project: TestProject;
  let shown: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    ({ system, project } = await startWithLocalOwner());
    browser = await openChromium(chromium);
    shown = await openConsole(browser, system.stack.httpUrl, [new URL(system.processor.baseUrl).origin]);
    page = shown.page;
    await shown.open('');
    await enterAsLocalOwner();
  });
  afterAll(async () => {
    await shown?.close();
    await browser?.close();
    await system?.stop();
  });

  const { press, see, enterAsLocalOwner } = pageActions(() => page);
  const pressInDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const findTier = async (id: string) => {
    const { tiers } = must(await project.owner.get(`/projects/${project.id}/tiers`), 200);
    return tiers.find((tier: { id: string }) => tier.id === id);
  };

  async function createTier(values: object): Promise<{ id: string }> {
    const body = { models: [{ model_id: UPSTREAM_MODEL, is_default: true }], ...values };
    return must(await project.owner.post(`/projects/${project.id}/tiers`, body), 201).tier;
  }

  async function createCustomer(external_id: string): Promise<{ id: string }> {
    return must(await project.api.post('/customers', { external_id, email: `${external_id}@example.com` }), 201)
      .customer;
  }

  /** Pays for a tier with a checkout, as the customer does. */
  async function subscribe(customerId: string, tierId: string): Promise<void> {
    await waitUntil(async () => (await findTier(tierId)).price_sync === 'ready', { what: 'the price' });
    const urls = { success_url: 'https://app.example.com/', cancel_url: 'https://app.example.com/' };
    const body = { tier_id: tierId, ...urls };
    const { url } = must(await project.api.post(`/customers/${customerId}/subscribe`, body), 201);
    const buyer = await browser.newPage();
    await buyer.route('https://app.example.com/**', (route) => route.fulfill({ body: 'back' }));
    await buyer.goto(url);
    await buyer.locator('button[value=pay]').click();
    await buyer.getByText('back').waitFor();
    await buyer.close();
    const path = `/customers/${customerId}/subscription`;
    const isActive = async () => (await project.api.get(path)).body.subscription?.tier_id === tierId;
    await waitUntil(isActive, { what: 'the subscription' });
  }

  it('asks before prices below their costs apply to subscribers, and keeps them in the audit log', async () => {
    const { id } = await createTier({ tier_code: 'free', display_name: 'Free', is_default: true });
    const { id: customer_id } = await createCustomer('northwind');
    must(await project.api.post('/auth/customer-token', { customer_id, tier_code: 'free' }), 200);
    const { models: before } = await findTier(id);
    await shown.open(`/p/${project.id}/tiers/${id}`);
    await see(/^1 subscriber: changed prices of models apply/);
    await page.getByLabel(`Price of ${UPSTREAM_MODEL}, output, per million tokens`).fill('0.01');
    await see(/^loss \$/);
    await press('Save');
    await page.getByRole('dialog', { name: 'Sell below cost?' }).waitFor();
    await see(/these prices apply to them at once, and you pay the difference/);
    expect(await shown.findBarriers()).toEqual([]);
    await shown.keepPicture('tier-loss');
    await pressInDialog('Cancel');
    expect((await findTier(id)).models).toEqual(before);
    await press('Save');
    await pressInDialog('Save these prices');
    await see('Tier saved');
    expect((await findTier(id)).models[0].output_price_per_million_cents).toBe(1);

    await shown.open(`/p/${project.id}/audit`);
    await see('tier.updated');
    const cost = before[0].output_price_per_million_cents;
    await see(`models.${UPSTREAM_MODEL}.output_price_per_million_cents: ${cost} → 1`);
    await see('tier.created');
    await see('owner@tollgate.local');
    expect([...shown.faults, ...(await shown.findBarriers())]).toEqual([]);
    await shown.keepPicture('audit-changes');
  });

  it('shows what subscribers pay at another price, and moves them there with their next renewal', async () => {
    const price = { price_amount_cents: 2_000, price_currency: 'usd', price_interval: 'month' };
    const { id } = await createTier({ tier_code: 'team', display_name: 'Team', ...price });
    const { id: customerId } = await createCustomer('southwind');
    await subscribe(customerId, id);
    await shown.open(`/p/${project.id}/tiers/${id}`);
    await press('Move subscribers to the new price');
    await see('No subscriber pays another price');
    await pressInDialog('Close');

    const raised = await project.owner.put(`/projects/${project.id}/tiers/${id}`, { price_amount_cents: 2_500 });
    must(raised, 200);
    await waitUntil(async () => (await findTier(id)).price_sync === 'ready', { what: 'the new price' });
    await shown.open(`/p/${project.id}/tiers/${id}`);
    await press('Move subscribers to the new price');
    await see('1 subscriber pays another price than $25.00 a month: $20.00 a month, then $25.00.');
    await see(/with the next renewal; nothing is charged before/);
    expect(await shown.findBarriers()).toEqual([]);
    await shown.keepPicture('tier-migrate-price');
    await pressInDialog('Cancel');
    expect(await readSchedule()).toEqual([]);

    await press('Move subscribers to the new price');
    await pressInDialog('Move them');
    await see('1 subscriber will pay $25.00 a month');
    const { billing_price_ref } = await findTier(id);
    const { subscription } = must(await project.api.get(`/customers/${customerId}/subscription`), 200);
    const renewalMs = Date.parse(subscription.current_period_end);
    expect(await readSchedule()).toEqual([{ ref: billing_price_ref, at: new Date(renewalMs - HOUR_MS) }]);
    expect(subscription.price_amount_cents).toBe(2_000);
    expect(shown.faults).toEqual([]);
  });

  it('proposes the code of a new tier, and shows lists as wide as the window and saves them', async () => {
    await shown.open(`/p/${project.id}/tiers/new`);
    await page.getByLabel('Name').fill('Team, yearly');
    expect(await page.getByLabel('Code').inputValue()).toBe('team-yearly');
    await page.getByLabel('Code').fill('yearly');
    await page.getByLabel('Name').fill('Teams');
    expect(await page.getByLabel('Code').inputValue()).toBe('yearly');
    page.once('dialog', (dialog) => void dialog.accept());

    await page.setViewportSize({ width: 1920, height: 900 });
    await shown.open(`/p/${project.id}/customers`);
    const table = await page.getByRole('region', { name: 'Customers' }).boundingBox();
    expect(table?.width).toBeGreaterThan(1_500);
    await page.setViewportSize({ width: 1280, height: 860 });
    const download = page.waitForEvent('download');
    await press('Save as CSV');
    const file = await readFile(await (await download).path(), 'utf8');
    expect(file).toMatch(/^Customer,Email,Tier,Status,Created\r\n/);
    expect(file).toMatch(/\nnorthwind,northwind@example\.com,Free,active,\d{4}-\d\d-\d\dT[^,]+Z\r\n/);
    expect([...shown.faults, ...(await shown.findBarriers())]).toEqual([]);
  });

  const readSchedule = () =>
    system.query(
      `SELECT next_price_ref AS ref, next_price_at AS at FROM billing_ledger.processor_subscriptions
        WHERE next_price_ref IS NOT NULL`,
    );
});
