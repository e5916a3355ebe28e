// The first hour of a newcomer with `npm start`: everything in the browser, nothing with curl.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parseDelivery, startWebhookReceiver, type WebhookReceiver, waitUntil } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import type { Browser, Page } from 'playwright-core';
import { type ConsolePage, openChromium, openConsole } from './console-page.js';
import { type LocalStart, startLocally } from './local-start.js';
import { pageActions } from './page-actions.js';

describeWith('CHROMIUM_PATH', 'a newcomer in the console of npm start', (chromium) => {
  let local: LocalStart;
  let receiver: WebhookReceiver;
  let browser: Browser;
  let shown: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    local = await startLocally();
    receiver = await startWebhookReceiver();
    browser = await openChromium(chromium);
    const origin = new URL(local.console).origin;
    shown = await openConsole(browser, origin, [new URL(local.payments).origin]);
    page = shown.page;
    await page.goto(local.console);
  });
  afterAll(async () => {
    await shown?.close();
    await browser?.close();
    await receiver?.stop();
    await local?.stop();
  });

  const { press, see, enterAsLocalOwner } = pageActions(() => page);
  const go = (name: string) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();

  it('signs in with one click at the printed address', async () => {
    await enterAsLocalOwner();
    expect(shown.faults).toEqual([]);
  });

  it('creates a tier, a customer on it, and a key that is shown once', async () => {
    await go('Tiers');
    await page.getByRole('link', { name: 'New tier' }).click();
    await page.getByLabel('Name').fill('Starter');
    await page.getByLabel('Code').fill('starter');
    await page.getByLabel('Billing').selectOption('paygo');
    await page.getByLabel('Add a model').selectOption('sandbox/echo-1');
    await press('Create the tier');
    await page.getByRole('heading', { name: 'Starter' }).waitFor();

    await go('Customers');
    await press('New customer');
    await page.getByLabel('External id').fill('ada');
    await page.getByLabel('Email').fill('ada@example.com');
    await press('Create');
    await page.getByRole('heading', { name: 'ada' }).waitFor();
    await press('Change tier');
    await page.getByRole('dialog').getByLabel('Tier').selectOption('starter');
    await press('Change');
    await see('Starter (starter)');

    await go('API keys');
    await press('New key');
    await page.getByLabel('Label').fill('my server');
    await press('Create');
    expect(await page.getByRole('dialog').locator('pre').textContent()).toMatch(/^tg_sk_/);
    await press('I have copied it');
    await page.getByRole('link', { name: 'my server' }).waitFor();
    expect(shown.faults).toEqual([]);
  });

  it("fills the customer's wallet on the local payment page", async () => {
    await go('Customers');
    await page.getByRole('link', { name: 'ada', exact: true }).click();
    await press('More');
    await page.getByRole('menuitem', { name: 'Top up the wallet' }).click();
    await page.getByLabel('Amount').fill('12');
    await press('Create the checkout');
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Open the checkout' }).click();
    const checkout = await opened;
    expect(new URL(checkout.url()).origin).toBe(new URL(local.payments).origin);
    await checkout.locator('button[value=pay]').click();
    await checkout.getByRole('heading', { name: 'Thank you' }).waitFor();
    await checkout.close();
    await press('Close');
    await page.getByRole('tab', { name: 'Wallet' }).click();
    const isCredited = async () => {
      await page.reload();
      await shown.waitUntilLoaded();
      return (await page.getByText('+$12.00').count()) > 0;
    };
    await waitUntil(isCredited, { what: 'the credit' });
    expect(shown.faults).toEqual([]);
  });

  it('receives webhooks, and sends one of them again', async () => {
    await go('Webhooks');
    await press('New webhook');
    await page.getByLabel('Endpoint').fill(receiver.url);
    await press('Create');
    await press('I have copied it');
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('heading', { name: receiver.url }).waitFor();
    await go('Playground');
    await page.getByLabel('Ask as').selectOption({ label: 'ada – Starter' });
    await page.getByLabel('Message').fill('Hello from a newcomer');
    await press('Send');
    await see('by the catalog');
    await receiver.waitForCount(1, 60_000);
    await go('Webhooks');
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('cell', { name: 'delivered' }).first().waitFor();
    await press(/^Show request\.completed/);
    await press('Send again');
    await see('Event sent again');
    const [first, second] = await receiver.waitForCount(2, 60_000);
    expect(parseDelivery(second!)).toEqual(parseDelivery(first!));
    expect(shown.faults).toEqual([]);
  });

  it('shows a request of the playground in the live list, with its cost', async () => {
    const other = await openConsole(browser, new URL(local.console).origin);
    await other.page.goto(local.console);
    await other.page.getByRole('button', { name: 'Continue as the local owner' }).click();
    await other.page.getByRole('link', { name: 'Requests' }).click();
    await other.page.getByRole('button', { name: 'Follow live' }).click();
    await go('Playground');
    await page.getByLabel('Ask as').selectOption({ label: 'ada – Starter' });
    await page.getByLabel('Message').fill('write 200 words');
    await press('Send');
    await see('by the catalog');
    const id = await page.locator('main dl code').last().getAttribute('title');
    const row = other.page.getByRole('row').filter({ has: other.page.locator(`a[href*="${id}"]`) });
    await row.waitFor();
    expect(await row.getByRole('cell').last().textContent()).toMatch(/^\$0\.\d*[1-9]/);
    await row.getByRole('link').first().click();
    await other.page.getByText('Charged to the customer').waitFor();
    expect([...other.faults, ...shown.faults]).toEqual([]);
    await other.close();
  });

  it('starts a run, and sees its graph move to the end', async () => {
    await go('Runs');
    await press('Start a run');
    await press('Start');
    await page.getByRole('heading', { name: 'weekly_report' }).waitFor();
    await page.getByLabel('report: succeeded', { exact: true }).waitFor();
    expect(shown.faults).toEqual([]);
  });

  it('creates an agent, tests it, and asks for another revision', async () => {
    await go('Agents');
    await page.getByRole('link', { name: 'New agent' }).click();
    await page.getByLabel('Name').fill('Order helper');
    expect(await page.getByLabel('Slug').inputValue()).toBe('order-helper');
    await page.getByLabel('Model').selectOption('sandbox/echo-1');
    await page.getByLabel('Instructions').fill('Answer briefly.');
    await page.getByLabel('Tools', { exact: true }).fill('[');
    await press('Create the agent');
    await see('This is not valid JSON');
    await page.getByLabel('Tools', { exact: true }).fill('');
    await press('Create the agent');
    await page.getByRole('heading', { name: 'Order helper' }).waitFor();
    await page.getByRole('tab', { name: 'Test run' }).click();
    await page.getByLabel('Message').fill('Hello');
    await press('Run');
    await page.getByRole('link', { name: 'Show the run' }).waitFor();
    await page.getByRole('tab', { name: 'Edit' }).click();
    await page.getByLabel('Instructions').fill('Answer at length.');
    await press('Save');
    await see('Saved as revision 2');
    await page.getByRole('tab', { name: 'Revisions' }).click();
    await page.getByRole('combobox', { name: 'Revision' }).selectOption('1');
    await press('Restore');
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await see('Revision 1 is current again, as revision 3');
    await page.getByRole('tab', { name: 'Memory' }).click();
    await page.getByLabel('Document').fill('Orders are numbers.');
    await press('Save');
    await see('Memory saved');
    await page.reload();
    expect(await page.getByLabel('Document').inputValue()).toBe('Orders are numbers.');
    await press('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await see('Agent deleted');
    expect(shown.faults).toEqual([]);
  });
});
