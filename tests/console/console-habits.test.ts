// What people expect of any page of the console: the keyboard, names, lost connections and unsaved input.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import type { Browser, Page } from 'playwright-core';
import { must, SANDBOX_MODEL, type System, type TestProject } from '../system/start-system.js';
import { type ConsolePage, openChromium, openConsole } from './console-page.js';
import { startWithLocalOwner } from './local-owner.js';
import { pageActions } from './page-actions.js';

const ASK = [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'Hello' }] }];
const MODELS = [{ model_id: SANDBOX_MODEL, is_default: true }];

describeWith('CHROMIUM_PATH', 'habits of people in the console', (chromium) => {
  let system: System;
  let browser: Browser;
  let project: TestProject;
  let shown: ConsolePage;
  let page: Page;
  let customerId: string;

  beforeAll(async () => {
    ({ system, project } = await startWithLocalOwner());
    const tier = {
      tier_code: 'wallet',
      display_name: 'Wallet',
      billing_mode: 'paygo',
      is_default: true,
      models: MODELS,
    };
    must(await project.owner.post(`/projects/${project.id}/tiers`, tier), 201);
    customerId = (await createCustomer('northwind')).id;
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

  const { press, see, follow, enterAsLocalOwner } = pageActions(() => page);
  const focused = () => page.locator(':focus');
  /** The name of the button, label or field with the focus. */
  const readFocus = () =>
    page.evaluate<string>(
      '(document.activeElement.labels?.[0] ?? document.activeElement).textContent || document.activeElement.placeholder || document.activeElement.tagName',
    );

  async function createCustomer(external_id: string): Promise<{ id: string }> {
    const body = { external_id, email: `${external_id}@example.com` };
    const { customer } = must(await project.api.post('/customers', body), 201);
    const credit = { amount_cents: 1_000, reason: 'promo' };
    const headers = { 'Idempotency-Key': randomUUID() };
    const { token } = must(
      await project.api.post('/auth/customer-token', { customer_id: customer.id, tier_code: 'wallet' }),
      200,
    );
    must(await project.api.send('POST', `/customers/${customer.id}/credit`, credit, headers), 201);
    must(await project.api.as(token).post('/responses', { model: SANDBOX_MODEL, input: ASK }), 200);
    return customer;
  }

  it('puts the cursor into the search at once, and closes it with a click outside', async () => {
    await shown.open(`/p/${project.id}/customers`);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Page, project, customer, or an id').waitFor();
    await page.keyboard.type('northw');
    await page.getByRole('option', { name: /northwind/ }).waitFor();
    await page.mouse.click(5, 5);
    await page.getByRole('dialog', { name: 'Search' }).waitFor({ state: 'detached' });
  });

  it('puts the cursor into the first field of a dialog, and back to its opener afterwards', async () => {
    await shown.open(`/p/${project.id}/customers`);
    await page.getByRole('button', { name: 'New customer' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    expect(await readFocus()).toBe('External id');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await readFocus()).toBe('New customer');

    await shown.open(`/p/${project.id}/customers/${customerId}`);
    await page.getByRole('button', { name: 'More' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Top up the wallet' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    expect(await readFocus()).toBe('Amount');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await readFocus()).toBe('More');

    await press('More');
    await page.getByRole('menuitem', { name: 'Block' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await focused().textContent()).toBe('Cancel');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('shows the credit that a deleted customer loses, and deletes only the one whose name was typed', async () => {
    const { id } = await createCustomer('westwind');
    await shown.open(`/p/${project.id}/customers/${id}`);
    await press('More');
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await see(/and \$\d+\.\d\d of credit is forfeited/);
    const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete' });
    await page.getByLabel('Type westwind to delete it').fill('westwin');
    await remove.click();
    await see('This is not the name.');
    await page.getByLabel('Type westwind to delete it').fill('westwind');
    await remove.click();
    await see('Customer deleted');
    expect((await project.owner.get(`/projects/${project.id}/customers/${id}`)).status).toBe(404);
  });

  it('shows the limits of an amount once, in the currency, and leads the customer to no page of the console', async () => {
    await shown.open(`/p/${project.id}/customers/${customerId}`);
    await press('More');
    await page.getByRole('menuitem', { name: 'Top up the wallet' }).click();
    await page.getByLabel('Amount').fill('1');
    await press('Create the checkout');
    await see(/^Enter \$5\.00 to \$[\d,]+\.00\.$/);
    expect(await page.getByRole('dialog').getByText('must be').count()).toBe(0);
    await page.getByLabel('Amount').fill('12');
    await press('Create the checkout');
    const url = (await page.getByRole('dialog').locator('pre').textContent()) ?? '';
    const customer = await openConsole(browser, system.stack.httpUrl, [new URL(url).origin]);
    await customer.page.goto(url);
    await customer.page.locator('button[value=pay]').click();
    await customer.page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await customer.findBarriers()).toEqual([]);
    expect(new URL(customer.page.url()).pathname).not.toMatch(/console/);
    expect(customer.faults).toEqual([]);
    await customer.close();
  });

  it('shows customers by name in lists, and finds their requests by name', async () => {
    await createCustomer('southwind');
    await shown.open(`/p/${project.id}/usage?group=customer`);
    await page.getByRole('link', { name: 'southwind' }).waitFor();
    await shown.open(`/p/${project.id}/requests`);
    await page.getByRole('cell', { name: 'northwind' }).first().waitFor();
    const filter = page.getByLabel('Customer', { exact: true });
    await filter.fill('no one');
    await see('No customer begins like this.');
    await filter.fill('southw');
    await page.locator('option[value=southwind]').waitFor({ state: 'attached' });
    await filter.press('Enter');
    await page.getByRole('cell', { name: 'northwind' }).first().waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'southwind' }).first().waitFor();
    await shown.open(`/p/${project.id}/overview`);
    await page.getByRole('link', { name: 'southwind' }).waitFor();
    expect(shown.faults).toEqual([]);
  });

  it('shows on the overview of a project nothing of other projects', async () => {
    const { project: empty } = must(await project.owner.post('/projects', { name: 'Empty' }), 201);
    await shown.open(`/p/${empty.id}/overview`);
    await see('No requests in these days');
    await page.goto(`${system.stack.httpUrl}/console/p/${randomUUID()}/overview`);
    await see('There is no such page');
  });

  it('asks before typed text is lost, and keeps the text of the playground', async () => {
    await shown.open(`/p/${project.id}/tiers/new`);
    await page.getByLabel('Name').fill('Gold');
    const questions: string[] = [];
    let isLeaving = false;
    const decide = (dialog: { message(): string; accept(): Promise<void>; dismiss(): Promise<void> }) => {
      questions.push(dialog.message());
      return isLeaving ? dialog.accept() : dialog.dismiss();
    };
    page.on('dialog', decide);
    await follow('Customers');
    await waitUntil(() => questions.length === 1, { what: 'the question' });
    expect(await page.getByLabel('Name').inputValue()).toBe('Gold');
    isLeaving = true;
    await follow('Customers');
    await page.getByRole('heading', { name: 'Customers' }).waitFor();
    page.off('dialog', decide);
    expect(questions).toEqual(Array(2).fill('Leave this page? What you have typed is not saved.'));

    await follow('Playground');
    await page.getByLabel('Message').fill('half a question');
    await follow('Customers');
    await page.getByRole('heading', { name: 'Customers' }).waitFor();
    await follow('Playground');
    expect(await page.getByLabel('Message').inputValue()).toBe('half a question');
  });

  it('shows the cost of a stopped answer', async () => {
    await shown.open(`/p/${project.id}/playground`);
    await page.getByLabel('Message').fill(`wait 60000 ms ${'word '.repeat(50)}`);
    await press('Send');
    await see('streaming');
    await press('Stop');
    await see(/^Stopped after .*\./);
  });

  it('opens pages without a connection, says that they are old, and reads them again afterwards', async () => {
    await shown.open(`/p/${project.id}/customers`);
    const areAllLoaded = () =>
      page.evaluate<boolean>(
        "performance.getEntriesByType('resource').some(({ name }) => /sql-profiles-screen/.test(name))",
      );
    await waitUntil(areAllLoaded, { what: 'the pages that are loaded ahead' });
    await page.context().setOffline(true);

    await see('You are offline.');
    await follow('Tiers');
    await page.getByRole('heading', { name: 'Tiers' }).waitFor();
    await page.context().setOffline(false);
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Wallet' }).waitFor();
  });

  it('shows the figures of a bar that is tapped', async () => {
    await shown.open(`/p/${project.id}/overview`);
    const bars = page.locator('figure').first();
    const today = bars.locator('.group').last();
    await today.dispatchEvent('pointerup', { pointerType: 'touch' });
    await today.getByText('Usage at customer prices').waitFor();
    await today.dispatchEvent('pointerup', { pointerType: 'touch' });
    await today.getByText('Usage at customer prices').waitFor({ state: 'hidden' });
  });
});
