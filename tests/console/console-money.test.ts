// What an owner does in the console about money, with the ledger checked.

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import type { Browser, Page } from 'playwright-core';
import { must } from '../system/start-system.js';
import { useSystem } from '../system/use-system.js';
import { type ConsolePage, openChromium, openConsole } from './console-page.js';
import { LOCAL_OWNER } from './local-owner.js';
import { pageActions } from './page-actions.js';

const OWNER = { email: LOCAL_OWNER, password: 'a long pass phrase' };

describeWith('CHROMIUM_PATH', 'money in the console', (chromium) => {
  const system = useSystem({ env: { DEV_OWNER_EMAIL: OWNER.email } });
  let browser: Browser;
  let shown: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    must(await system.anonymous.post('/auth/register', OWNER), 201);
    browser = await openChromium(chromium);
    shown = await openConsole(browser, system.stack.httpUrl, [new URL(system.processor.baseUrl).origin]);
    page = shown.page;
    await shown.open('');
    await enterAsLocalOwner();
  });
  afterAll(async () => {
    await shown?.close();
    await browser?.close();
  });

  const { press, follow, see, enterAsLocalOwner } = pageActions(() => page);
  const pay = async (): Promise<void> => {
    await page.locator('button[value=pay]').click();
    await shown.waitUntilLoaded();
  };
  /** The last column of the table, in microcents. */
  const readAmounts = async (): Promise<number[]> => {
    const amounts = await page.getByRole('row').locator('td:last-child').allTextContents();
    return amounts.map((text) => Math.round(Number(text.replace(/[$,]/g, '')) * 1e8));
  };
  /** The page shows what it has read; the ledger learns of a payment by a webhook. */
  const seeAfterReload = (text: string) =>
    waitUntil(
      async () => {
        await page.reload();
        await shown.waitUntilLoaded();
        return (await page.getByText(text).count()) > 0;
      },
      { what: text },
    );

  it('lets a newcomer fund the account, make a tier, a customer and a key, and ask a model', async () => {
    await follow('Money');
    await press('Top up');
    await page.getByLabel('Amount').fill('25');
    await press('Continue to the checkout');
    await page.waitForURL(`${system.processor.baseUrl}/**`);
    await pay();
    await seeAfterReload('$25.00');

    await follow('Tiers');
    await follow('New tier');
    await page.getByLabel('Name').fill('Pro');
    await page.getByLabel('Code').fill('pro');
    await page.getByLabel('Billing').selectOption('paygo');
    await page.getByLabel('Add a model').selectOption('sandbox/echo-1');
    await page.getByLabel('Price of sandbox/echo-1, cached input, per million tokens').fill('0.02');
    await press('Create the tier');
    await page.getByRole('heading', { name: 'Pro' }).waitFor();

    await follow('Customers');
    await press('New customer');
    await page.getByLabel('External id').fill('ada');
    await page.getByLabel('Email').fill('ada@example.com');
    await press('Create');
    await page.getByRole('heading', { name: 'ada' }).waitFor();
    await press('Change tier');
    await page.getByRole('dialog').getByLabel('Tier').selectOption('pro');
    await press('Change');
    await see('Pro (pro)');

    await press('More');
    await page.getByRole('menuitem', { name: 'Grant credit' }).click();
    await page.getByLabel('Amount').fill('3');
    await press('Grant');
    await see('Credit granted');
    await page.getByRole('tab', { name: 'Wallet' }).click();
    await see('+$3.00');

    await follow('API keys');
    await press('New key');
    await page.getByLabel('Label').fill('server');
    await press('Create');
    const secret = (await page.getByRole('dialog').locator('pre').textContent()) ?? '';
    await press('I have copied it');
    const models = await system.anonymous.as(secret).get('/tiers');
    expect(models.status).toBe(200);
    expect(models.body.tiers[0].models).toMatchObject([{ cached_input_price_per_million_cents: 2 }]);
    await page.getByRole('button', { name: 'More for server' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await press('Revoke');
    await see('Key revoked');

    await follow('Playground');
    await page.getByLabel('Ask as').selectOption({ label: 'ada – Pro' });
    await page.getByLabel('Message').fill('Hello from the console');
    await press('Send');
    await see('by the catalog');
    await follow('Requests');
    await waitUntil(
      async () => {
        await page.reload();
        await shown.waitUntilLoaded();
        return (await page.getByRole('cell', { name: 'succeeded' }).count()) > 0;
      },
      { what: 'the request in the list' },
    );

    await follow('Money');
    await press('Verify');
    await see('Every balance equals its journal.');
    expect(shown.faults).toEqual([]);
  });

  it("credits a customer's wallet after a checkout", async () => {
    await follow('Customers');
    await follow('ada');
    await press('More');
    await page.getByRole('menuitem', { name: 'Top up the wallet' }).click();
    await page.getByLabel('Amount').fill('12');
    await press('Create the checkout');
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Open the checkout' }).click();
    const checkout = await opened;
    await checkout.locator('button[value=pay]').click();
    await checkout.getByRole('heading', { name: 'Thank you' }).waitFor();
    await checkout.close();
    await press('Close');
    await page.getByRole('tab', { name: 'Wallet' }).click();
    await seeAfterReload('+$12.00');
    await follow('Payments');
    await see('Wallet top-up');
    await page.getByRole('cell', { name: 'completed' }).waitFor();
    expect(shown.faults).toEqual([]);
  });

  it('refunds a part of a payment to its card after saying what that does', async () => {
    await follow('Payments');
    await press('Refund');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount').fill('13');
    await dialog.getByText('$13.00 returns to the card').waitFor();
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
    await dialog.getByText('at most 1200 cents can be refunded').waitFor();
    await dialog.getByLabel('Amount').fill('5');
    await dialog
      .getByText(/\$5\.00 returns to the card, and the wallet falls from \$1\d\.\d\d to \$\d+\.\d\d\./)
      .waitFor();
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
    await see('Refund requested');
    await page.getByRole('cell', { name: '$5.00', exact: true }).waitFor();
    expect(system.processor.store.all('refund')).toMatchObject([{ amount: 500, status: 'succeeded' }]);
    expect(shown.faults.filter((fault) => !fault.includes('409'))).toEqual([]);
  });

  it('takes granted credit back, and shows both in the wallet', async () => {
    await follow('Customers');
    await follow('ada');
    await press('More');
    await page.getByRole('menuitem', { name: 'Withdraw credit' }).click();
    await page.getByLabel('Amount').fill('1');
    await see('Nothing is paid out.');
    await press('Withdraw');
    await see('Credit withdrawn');
    await page.getByRole('tab', { name: 'Wallet' }).click();
    await see('−$1.00');
    await see('−$5.00');
    await follow('Money');
    await press('Verify');
    await see('Every balance equals its journal.');
  });

  it('charges the stored card when automatic top-ups are switched on, until the card is removed', async () => {
    const login = must(await system.anonymous.post('/auth/login', OWNER), 200);
    const owner = system.anonymous.as(login.access_token);
    await follow('Overview');
    await follow('Money');
    await see('Needs a stored card.');
    await press('Store a card');
    await page.waitForURL(`${system.processor.baseUrl}/**`);
    await page.locator('button[value=cancel]').click();
    await page.getByRole('button', { name: 'Store a card' }).click();
    await page.waitForURL(`${system.processor.baseUrl}/**`);
    await page.locator('button[value=pay]').click();
    await see('visa ending in 4242');
    await shown.keepPicture('money-card');
    await page.getByLabel('Top up automatically').check();
    await page.getByLabel('When the balance falls below').fill('100');
    await page.getByLabel('Top up by').fill('1');
    await press('Save');
    await page.getByRole('alert').first().waitFor();
    await page.getByLabel('Top up by').fill('200.00');
    await press('Save');
    await see('Automatic top-up saved');
    await seeAfterReload('automatic');
    expect(must(await owner.get('/account/balance'), 200).balance_microcents).toBeGreaterThan(20_000_000_000);
    await press('Remove the card');
    await press('Remove');
    await see('Card removed');
    await see('Needs a stored card.');
    expect(must(await owner.get('/account/billing/auto-topup'), 200)).not.toHaveProperty('payment_method');
    expect(shown.faults.filter((fault) => !fault.includes('40'))).toEqual([]);
  });

  it('shows a statement whose lines add up, saves it as a file, and prints it without the frame', async () => {
    await follow('Statements');
    const name = await page.getByRole('table').getByRole('link').first().textContent();
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByRole('heading', { name: `Statement of ${name}` }).waitFor();
    for (const line of ['Top-ups', 'Promotional credit', 'Refunds to cards', 'Granted credit withdrawn', 'Usage'])
      await page.getByRole('cell', { name: line, exact: true }).waitFor();
    const [opening = 0, ...lines] = await readAmounts();
    const closing = lines.pop();
    expect(lines.reduce((sum, amount) => sum + amount, opening)).toBe(closing);

    const download = page.waitForEvent('download');
    await press(`Download the statement of ${name} as CSV`);
    const file = await readFile(await (await download).path(), 'utf8');
    const rows = file.trimEnd().split('\r\n');
    expect(rows[0]).toBe('month,kind,model,entries,amount_microcents,amount_usd');
    expect(Number(rows.at(-1)?.split(',')[4])).toBe(closing);

    await page.emulateMedia({ media: 'print' });
    await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Print or save as PDF' }).waitFor({ state: 'hidden' });
    await page.getByText('Closing balance').waitFor();
    await shown.keepPicture('statement-print');
    await page.emulateMedia({ media: 'screen' });
    expect(shown.faults.filter((fault) => !fault.includes('409'))).toEqual([]);
  });

  it("shows a statement of the owner's balance whose last line is the balance, and saves it as a file", async () => {
    const login = must(await system.anonymous.post('/auth/login', OWNER), 200);
    const { balance_microcents: balance } = must(
      await system.anonymous.as(login.access_token).get('/account/balance'),
      200,
    );
    await follow('Money');
    await follow('Statements of the balance');
    await page.getByRole('heading', { name: 'Statements of the balance' }).waitFor();
    const name = await page.getByRole('table').getByRole('link').first().textContent();
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByRole('heading', { name: `Statement of ${name}` }).waitFor();
    for (const line of ['Top-ups', 'Usage']) await page.getByRole('cell', { name: line, exact: true }).waitFor();
    const amounts = await readAmounts();
    const closing = amounts.pop();
    expect(closing).toBe(balance);
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(closing);

    const download = page.waitForEvent('download');
    await press(`Download the statement of ${name} as CSV`);
    const file = await readFile(await (await download).path(), 'utf8');
    expect(Number(file.trimEnd().split('\r\n').at(-1)?.split(',')[4])).toBe(balance);

    await page.emulateMedia({ media: 'print' });
    await page.getByRole('button', { name: 'Print or save as PDF' }).waitFor({ state: 'hidden' });
    await page.getByText('Closing balance').waitFor();
    await shown.keepPicture('account-statement-print');
    await page.emulateMedia({ media: 'screen' });
    expect(shown.faults.filter((fault) => !fault.includes('40'))).toEqual([]);
  });
});
