// Signing a command line in by a code that its owner approves in the console.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Json } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import type { Browser } from 'playwright-core';
import { must } from '../system/start-system.js';
import { useSystem } from '../system/use-system.js';
import { type ConsolePage, openChromium, openConsole } from './console-page.js';
import { pageActions } from './page-actions.js';

const OWNER = { email: 'owner@tollgate.local', password: 'a long pass phrase' };
const NAME = 'tollgate CLI on ada-laptop';

describeWith('CHROMIUM_PATH', 'the approval of a device in the console', (chromium) => {
  const system = useSystem();
  let browser: Browser;
  let shown: ConsolePage;

  beforeAll(async () => {
    must(await system.anonymous.post('/auth/register', OWNER), 201);
    browser = await openChromium(chromium);
  });
  afterAll(async () => {
    await browser?.close();
  });
  beforeEach(async () => {
    shown = await openConsole(browser, system.stack.httpUrl);
  });
  afterEach(() => shown.close());

  const { press, see } = pageActions(() => shown.page);
  const start = async () => must(await system.anonymous.post('/auth/owner-device/start', { client_name: NAME }), 201);
  const poll = ({ device_code }: Json) => system.anonymous.post('/auth/owner-device/token', { device_code });

  async function signIn(): Promise<void> {
    await shown.page.getByLabel('Email').fill(OWNER.email);
    await shown.page.getByLabel('Password').fill(OWNER.password);
    await press('Sign in');
  }

  async function checkPage(name: string): Promise<void> {
    expect(await shown.measureOverflow()).toBe(0);
    for (const isDark of [false, true]) {
      await shown.setDark(isDark);
      expect(await shown.findBarriers()).toEqual([]);
      await shown.keepPicture(`${name}-${isDark ? 'dark' : 'light'}`);
    }
    expect(shown.faults).toEqual([]);
  }

  it('shows what asks after a sign-in, approves it, and ends it in the list', async () => {
    const device = await start();
    await shown.page.goto(device.verification_uri_complete);
    await signIn();
    for (const text of [NAME, OWNER.email, device.user_code, '127.0.0.1', 'Approve only if you started this']) {
      await see(text);
    }
    await checkPage('device');
    await press('Approve');
    await see(`${NAME} is signed in.`);
    const { access_token } = must(await poll(device), 200);
    const api = system.anonymous.as(access_token);
    expect(must(await api.get('/auth/me'), 200).user.email).toBe(OWNER.email);

    await shown.open('');
    await shown.page.getByRole('link', { name: 'Sign-ins' }).click();
    await see('127.0.0.1');
    await checkPage('sign-ins');
    await press(`Sign out ${NAME}`);
    await shown.page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await shown.page.getByText(NAME).first().waitFor({ state: 'detached' });
    expect((await api.get('/auth/me')).status).toBe(401);
    expect(shown.faults).toEqual([]);
  });

  it('takes a typed code, reports a wrong one, and denies', async () => {
    const device = await start();
    await shown.page.goto(device.verification_uri);
    await signIn();
    await shown.page.getByLabel('Code').fill('BBBB-BBBB');
    await press('Continue');
    await shown.page.getByRole('alert').getByText('no pending device sign-in has this code').waitFor();
    await shown.page.getByLabel('Code').fill(device.user_code.toLowerCase());
    await press('Continue');
    await see(NAME);
    await press('Deny');
    await see('The request was denied.');
    expect((await poll(device)).body.error).toBe('access_denied');
    expect(shown.faults).toEqual([]);
  });
});
