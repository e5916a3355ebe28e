// Members, invitations and forgotten passwords in the console, with the mails of the local mailbox.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import type { Browser } from 'playwright-core';
import { must, type System, type TestProject } from '../system/start-system.js';
import { type ConsolePage, openChromium, openConsole } from './console-page.js';
import { LOCAL_OWNER, startWithLocalOwner } from './local-owner.js';
import { pageActions } from './page-actions.js';

const GUEST = 'guest@example.com';
const PASSWORD = 'the first pass phrase';

describeWith('CHROMIUM_PATH', 'members in the console', (chromium) => {
  let system: System;
  let browser: Browser;
  let project: TestProject;
  let owner: ConsolePage;
  let guest: ConsolePage;
  let serverId: string;

  beforeAll(async () => {
    ({ system, project } = await startWithLocalOwner());
    const notes = { name: 'notes', endpoint_url: 'https://mcp.example.com/notes' };
    serverId = must(await project.owner.post(`/projects/${project.id}/mcp-servers`, notes), 201).server.id;
    must(await project.api.post('/customers', { external_id: 'ada', email: 'ada@example.com' }), 201);
    browser = await openChromium(chromium);
    owner = await openConsole(browser, system.stack.httpUrl);
    guest = await openConsole(browser, system.stack.httpUrl);
    await owner.open('');
    await pageActions(() => owner.page).enterAsLocalOwner();
  });
  afterAll(async () => {
    await owner?.close();
    await guest?.close();
    await browser?.close();
    await system?.stop();
  });

  const press = (shown: ConsolePage, name: string) => pageActions(() => shown.page).press(name);
  const see = (shown: ConsolePage, text: string) => pageActions(() => shown.page).see(text);

  /** Waits for a mail to the guest whose link leads to the page, and returns its newest link. */
  async function readLink(page: string): Promise<string> {
    let link: string | undefined;
    const find = async () => {
      const text = await (await fetch(`${system.stack.httpUrl}/mailbox`)).text();
      link = new RegExp(`href="([^"]+/console/${page}#[\\w-]+)"`).exec(text)?.[1];
      return link !== undefined;
    };
    await waitUntil(find, { what: `a mail with a link to ${page}` });
    return link as string;
  }

  async function checkPage(shown: ConsolePage, name: string): Promise<void> {
    expect(await shown.measureOverflow()).toBe(0);
    for (const isDark of [false, true]) {
      await shown.setDark(isDark);
      expect(await shown.findBarriers()).toEqual([]);
      await shown.keepPicture(`${name}-${isDark ? 'dark' : 'light'}`);
    }
  }

  it('takes a person from the link in a mail through a new account into the project', async () => {
    await owner.open(`/p/${project.id}/members`);
    await see(owner, LOCAL_OWNER);
    await press(owner, 'Invite');
    await owner.page.getByLabel('Email').fill(GUEST);
    await owner.page.getByLabel('Role').selectOption('viewer');
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click();
    await press(owner, 'I have copied it');
    await owner.page.getByRole('cell', { name: GUEST, exact: true }).waitFor();
    await checkPage(owner, 'members');

    await guest.page.goto(await readLink('invitation'));
    await see(guest, GUEST);
    expect(guest.page.url()).not.toContain('#');
    await checkPage(guest, 'invitation');
    await guest.page.getByRole('link', { name: 'Continue' }).click();
    await press(guest, 'Create an account');
    await guest.page.getByLabel('Email').fill(GUEST);
    await guest.page.getByLabel('Password').fill(PASSWORD);
    await press(guest, 'Create the account');
    await press(guest, 'Accept the invitation');
    await guest.page.waitForURL(`**/p/${project.id}/overview`);
    await guest.page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect([...owner.faults, ...guest.faults]).toEqual([]);
  });

  it.each([
    ['members', 'Invite'],
    ['customers', 'New customer'],
    ['webhooks', 'New webhook'],
    ['tool-hooks', 'New tool hook'],
    ['connections', 'New connection'],
    ['mcp-servers', 'New MCP server'],
    ['mcp-servers/:server', 'Edit'],
    ['mcp-servers/:server', 'Refresh the tools'],
    ['keys', 'New key'],
    ['runs', 'Start a run'],
    ['new-agent', 'Create the agent'],
    ['state-handles', 'New state handle'],
    ['sql-profiles/new', 'Create the profile'],
    ['messages', 'Send a message'],
    ['settings', 'Save'],
    ['playground', 'Send'],
  ])('lets a viewer change nothing on the page %s', async (path, action) => {
    const changes: string[] = [];
    guest.page.on('request', (request) => {
      const isSession = request.url().endsWith('/auth/browser-session');
      if (request.method() !== 'GET' && !isSession) changes.push(`${request.method()} ${request.url()}`);
    });
    await guest.open(`/p/${project.id}/${path.replace(':server', serverId)}`);
    expect(await guest.page.getByRole('button', { name: action }).first().isDisabled()).toBe(true);
    expect(await guest.page.getByRole('button', { name: /^More/ }).count()).toBe(0);
    expect([...changes, ...guest.faults]).toEqual([]);
  });

  it('hides the pages of the account and those that the role may not open', async () => {
    await guest.open(`/p/${project.id}/requests`);
    const links = await guest.page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents();
    expect(links).toContain('Payments');
    for (const name of ['Money', 'Audit log', 'Playground']) expect(links).not.toContain(name);
  });

  it('changes a role and removes the member', async () => {
    await owner.open(`/p/${project.id}/members`);
    await press(owner, `More for ${GUEST}`);
    await owner.page.getByRole('menuitem', { name: 'Change the role' }).click();
    await owner.page.getByLabel('Role', { exact: true }).selectOption('developer');
    await press(owner, 'Change');
    await see(owner, 'Role changed');
    await guest.open(`/p/${project.id}/keys`);
    expect(await guest.page.getByRole('button', { name: 'New key' }).isEnabled()).toBe(true);
    await press(owner, `More for ${GUEST}`);
    await owner.page.getByRole('menuitem', { name: 'Remove' }).click();
    await press(owner, 'Remove');
    await see(owner, 'Member removed');
    await guest.open('');
    await guest.page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(guest.page.url()).not.toContain(project.id);
    expect([...owner.faults, ...guest.faults]).toEqual([]);
  });

  it('replaces a forgotten password by the link of a mail', async () => {
    await press(guest, 'Sign out');
    await guest.page.getByRole('link', { name: 'Forgot your password?' }).click();
    await guest.page.getByLabel('Email').fill(GUEST);
    await checkPage(guest, 'forgot-password');
    await press(guest, 'Send a link');
    await see(guest, 'an email with a link is on its way');
    await guest.page.goto(await readLink('reset-password'));
    await guest.page.getByLabel('New password').fill('the second pass phrase');
    await checkPage(guest, 'reset-password');
    await press(guest, 'Change the password');
    await see(guest, 'Your password was changed');
    await guest.page.getByRole('link', { name: 'Sign in' }).click();
    await guest.page.getByLabel('Email').fill(GUEST);
    await guest.page.getByLabel('Password').fill('the second pass phrase');
    await press(guest, 'Sign in');
    await guest.page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(guest.faults).toEqual([]);
  });
});
