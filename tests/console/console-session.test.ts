// Signing in and out of the console, and what a browser keeps of a session.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import type { Browser } from 'playwright-core';
import { must, type System, startSystem } from '../system/start-system.js';
import { type ConsolePage, openChromium, openConsole } from './console-page.js';
import { type OAuthProvider, startOAuthProvider } from './oauth-provider.js';
import { pageActions } from './page-actions.js';

/** Of `ACCESS_TOKEN_TTL`. */
const TOKEN_TTL_MS = 1_000;

const OWNER = { email: 'owner@tollgate.local', password: 'a long pass phrase' };

describeWith('CHROMIUM_PATH', 'the session of the console', (chromium) => {
  let system: System;
  let provider: OAuthProvider;
  let browser: Browser;
  let origin: string;
  let shown: ConsolePage;

  beforeAll(async () => {
    provider = await startOAuthProvider();
    // A token ends at once: each request of a page asks for a new one by the cookie.
    system = await startSystem({ mode: 'one process', env: { ...provider.env, ACCESS_TOKEN_TTL: '1s' } });
    origin = system.stack.httpUrl;
    must(await system.anonymous.post('/auth/register', OWNER), 201);
    browser = await openChromium(chromium);
  });
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
    await provider?.stop();
  });
  beforeEach(async () => {
    shown = await openConsole(browser, origin, [provider.origin]);
  });
  afterEach(() => shown.close());

  const { enterAsLocalOwner: signIn } = pageActions(() => shown.page);

  it('signs the local owner in with one click, and keeps nothing that a script can read', async () => {
    await shown.open('');
    await signIn();
    await shown.page.reload();
    await shown.page.getByRole('heading', { name: 'Overview' }).waitFor();
    const readable = await shown.page.evaluate<string>(
      'JSON.stringify([document.cookie, localStorage, sessionStorage])',
    );
    expect(readable).not.toMatch(/rt_|eyJ|_sk_/);
    const [cookie] = (await shown.page.context().cookies()).filter(({ name }) => name === 'tollgate_session');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/api/v1/auth/browser-session' });
    expect(shown.faults).toEqual([]);
  });

  it('rejects a wrong password, and leads to the page that was wanted after the right one', async () => {
    await shown.open('');
    const { page } = shown;
    const project = (await system.query<{ id: string }>('SELECT id FROM edge_gateway.projects'))[0]!.id;
    await shown.open(`/p/${project}/audit`);
    await page.getByLabel('Email').fill(OWNER.email);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').getByText('wrong email or password').waitFor();
    await page.getByLabel('Password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    await page.getByText('session.refused').first().waitFor();
    expect(shown.faults).toEqual([]);
  });

  it('creates an account', async () => {
    await shown.open('');
    const { page } = shown;
    await page.getByRole('button', { name: 'Create an account' }).click();
    const answers: Promise<string>[] = [];
    page.on('response', (response) => {
      if (response.request().method() !== 'GET') answers.push(response.text());
    });
    await page.getByLabel('Email').fill('new@example.com');
    await page.getByLabel('Password').fill('another long pass phrase');
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByRole('heading', { name: 'No requests in these days' }).waitFor();
    const texts = await Promise.all(answers);
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.join(' ')).not.toMatch(/_sk_|rt_/);
    expect(shown.faults).toEqual([]);
  });

  const SECRETS = /rt_|eyJ|_sk_|gho_/;
  const signInWithGitHub = async (answer: 'Authorize' | 'Cancel'): Promise<void> => {
    await shown.page.getByRole('link', { name: 'Continue with GitHub' }).click();
    await shown.page.getByRole('link', { name: answer }).click();
  };

  it('signs in with a provider, and shows scripts and addresses no token', async () => {
    const seen: string[] = [];
    shown.page.on('request', (request) => seen.push(request.url()));
    await shown.open('');
    await signInWithGitHub('Authorize');
    const { page } = shown;
    await page.getByRole('heading', { name: 'No requests in these days' }).waitFor();
    seen.push(await page.evaluate<string>('JSON.stringify([document.cookie, localStorage, sessionStorage])'));
    expect(seen.join(' ')).not.toMatch(SECRETS);
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'tollgate_session');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/api/v1/auth/browser-session' });
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByText('account.registered').first().waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Tollgate' }).waitFor();
    await page.goBack();
    await signInWithGitHub('Authorize');
    // The page that was wanted, in the account that the first sign-in made.
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    await page.getByText('session.started').first().waitFor();
    expect(shown.faults).toEqual([]);
  });

  it("shows why a provider's sign-in failed, accessible in both colors, on a phone too", async () => {
    await shown.open('');
    await signInWithGitHub('Cancel');
    await shown.page.getByRole('alert').getByText('the provider did not confirm who you are').waitFor();
    for (const isDark of [false, true]) {
      await shown.setDark(isDark);
      expect(await shown.findBarriers()).toEqual([]);
      await shown.keepPicture(`sign-in-${isDark ? 'dark' : 'light'}`);
    }
    expect(await shown.measureOverflow()).toBe(0);
    await shown.onPhone(() => shown.keepPicture('sign-in-phone'));
    const person = { ...provider.person };
    Object.assign(provider.person, { id: 4712, email: OWNER.email });
    await signInWithGitHub('Authorize');
    await shown.page.getByRole('alert').getByText('An account with this email exists already').waitFor();
    Object.assign(provider.person, person);
    expect(shown.faults).toEqual([]);
  });

  it("rejects a sign-in that another browser or another site's page has started", async () => {
    const victim = await openConsole(browser, origin, [provider.origin]);
    await shown.open('');
    await shown.page.getByRole('link', { name: 'Continue with GitHub' }).click();
    const callback = await shown.page.getByRole('link', { name: 'Authorize' }).getAttribute('href');
    await victim.page.goto(callback as string);
    await victim.page.getByText('the link belongs to a sign-in of another browser').waitFor();
    await victim.page.goto(
      `${provider.origin}/login/oauth/authorize?redirect_uri=${origin}/api/v1/auth/oauth/authorize`,
    );
    const start = `${origin}/api/v1/auth/oauth/authorize?provider=github&return_to=/console/`;
    await victim.page.evaluate(`location.assign(${JSON.stringify(start)})`);
    await victim.page.getByText('accepts no requests from pages of another origin').waitFor();
    expect((await victim.page.context().cookies()).map(({ name }) => name)).not.toContain('tollgate_session');
    await victim.close();
  });

  it('signs all tabs out', async () => {
    await shown.open('');
    await signIn();
    const other = await shown.page.context().newPage();
    await other.goto(`${origin}/console`);
    await other.getByRole('heading', { name: 'Overview' }).waitFor();
    await shown.page.getByRole('button', { name: 'Sign out' }).click();
    for (const page of [shown.page, other]) await page.getByRole('heading', { name: 'Sign in to Tollgate' }).waitFor();
    expect(shown.faults).toEqual([]);
  });

  it('asks to sign in again when the session has ended in the middle of a form, which keeps what was typed', async () => {
    const { page } = shown;
    await shown.open('');
    await signIn();
    await page.getByRole('link', { name: 'Customers' }).click();
    await page.getByRole('button', { name: 'New customer' }).click();
    await page.getByLabel('External id').fill('typed before the end');
    await page.getByLabel('Email').fill('kept@example.com');
    const revokedAtMs = Date.now();
    await system.query('UPDATE edge_gateway.sessions SET revoked_at = now()');
    // The token ends within a second; until then the request may still be made by it.
    await waitUntil(() => Date.now() > revokedAtMs + TOKEN_TTL_MS, { what: 'the end of the access token' });
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    expect(await shown.findBarriers()).toEqual([]);
    await page.getByRole('button', { name: 'Continue as the local owner' }).click();
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor({ state: 'detached' });
    expect(await page.getByLabel('External id').inputValue()).toBe('typed before the end');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'typed before the end' }).waitFor();
    expect(shown.faults).toEqual([]);
  });

  it('shows the sign-in page when a page is opened after the end of the session', async () => {
    await shown.open('');
    await signIn();
    await system.query('UPDATE edge_gateway.sessions SET revoked_at = now()');
    await shown.page.reload();
    await shown.page.getByRole('heading', { name: 'Sign in to Tollgate' }).waitFor();
    expect(shown.page.url()).toContain('sign-in?to=');
    expect(shown.faults).toEqual([]);
  });
});
