// What an owner does in the console with connections of a project.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type FakeProvider, startFakeProvider } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import type { Browser, Page } from 'playwright-core';
import { must, type System, type TestProject, UPSTREAM_MODEL } from '../system/start-system.js';
import { type ConsolePage, openChromium, openConsole } from './console-page.js';
import { startWithLocalOwner } from './local-owner.js';
import { pageActions } from './page-actions.js';

const KEY = 'sk-brought-by-the-owner-4711';

describeWith('CHROMIUM_PATH', 'connections in the console', (chromium) => {
  let system: System;
  let browser: Browser;
  let project: TestProject;
  let vendor: FakeProvider;
  let shown: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    ({ system, project } = await startWithLocalOwner());
    vendor = await startFakeProvider({ apiKey: KEY });
    browser = await openChromium(chromium);
    shown = await openConsole(browser, system.stack.httpUrl);
    page = shown.page;
    await shown.open('');
    await enterAsLocalOwner();
  });
  afterAll(async () => {
    await shown?.close();
    await browser?.close();
    await vendor?.stop();
    await system?.stop();
  });

  const { press, see, enterAsLocalOwner } = pageActions(() => page);
  const list = async () => must(await project.owner.get(`/projects/${project.id}/connections`), 200).connections;

  it('adds a connection once the vendor accepts its key, and never shows the key again', async () => {
    await shown.open(`/p/${project.id}/connections`);
    await press('New connection');
    await page.getByLabel('Name', { exact: true }).fill('my-vendor');
    await page.getByLabel('Vendor').selectOption({ label: 'openai' });
    await page.getByLabel('Address').fill(vendor.baseUrl);
    await page.getByLabel('Key', { exact: true }).fill('sk-wrong');
    await page.getByLabel('Models').fill(`${UPSTREAM_MODEL}=theirs`);
    await press('Test and add');
    await see('the connection does not work');
    expect([await list(), await shown.findBarriers()]).toEqual([[], []]);
    await page.getByLabel('Key', { exact: true }).fill(KEY);
    await press('Test and add');
    await page.getByRole('heading', { name: 'my-vendor' }).waitFor();
    await see('…4711');
    expect(await page.content()).not.toContain(KEY);
    await shown.keepPicture('connection');
    expect([...shown.faults, ...(await shown.findBarriers())]).toEqual([]);
  });

  it('shows whether the vendor answers a test', async () => {
    await press('Test the connection');
    await see('The vendor answered in');
    vendor.next({ status: 500 });
    await press('Test the connection');
    await see('The connection does not work');
    expect(await shown.findBarriers()).toEqual([]);
  });

  it('changes a connection, and asks for its keys again where they would reach another server', async () => {
    await press('Change');
    const dialog = page.getByRole('dialog', { name: 'Change the connection' });
    await dialog.getByLabel('Name', { exact: true }).fill('our-vendor');
    await dialog.getByLabel('Asked').selectOption({ label: 'Only this connection' });
    const before = vendor.requests.length;
    await press('Save');
    await page.getByRole('heading', { name: 'our-vendor' }).waitFor();
    await see('only this connection');
    expect([vendor.requests.length, (await list())[0].mode]).toEqual([before, 'only']);

    const other = await startFakeProvider({ apiKey: KEY });
    await press('Change');
    await dialog.getByLabel('Address').fill(other.baseUrl);
    await see('Type the keys again');
    expect(await shown.findBarriers()).toEqual([]);
    await dialog.getByLabel('Key', { exact: true }).fill('sk-wrong');
    await press('Save');
    await see('the connection does not work');
    await dialog.getByLabel('Key', { exact: true }).fill(KEY);
    await press('Save');
    await dialog.waitFor({ state: 'detached' });
    expect((await list())[0].base_url).toBe(other.baseUrl);
    await other.stop();
    await press('Change');
    await dialog.getByLabel('Address').fill(vendor.baseUrl);
    await dialog.getByLabel('Key', { exact: true }).fill(KEY);
    await press('Save');
    await dialog.waitFor({ state: 'detached' });
  });

  it('replaces the key by several ones that share the requests', async () => {
    await press('Change');
    const dialog = page.getByRole('dialog', { name: 'Change the connection' });
    await press('Replace the keys');
    await dialog.getByLabel('Key', { exact: true }).fill(KEY);
    await press('Add a key');
    await dialog.getByLabel('Key 2', { exact: true }).fill(KEY);
    await dialog.getByLabel('Share 1').fill('9');
    expect(await shown.findBarriers()).toEqual([]);
    await shown.keepPicture('connection-keys');
    await press('Save');
    await see('…4711, …4711');
    expect((await list())[0].keys.map(({ weight }: { weight: number }) => weight)).toEqual([9, 1]);
    expect(await page.content()).not.toContain(KEY);
    expect(shown.faults).toEqual([]);
  });

  it('deletes a connection after a confirmation', async () => {
    await press('Delete');
    await see('Its keys are deleted.');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await see('No connections yet');
    expect(await list()).toEqual([]);
  });
});
