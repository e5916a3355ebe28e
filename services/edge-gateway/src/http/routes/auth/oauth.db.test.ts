import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { type OAuthServers, startOAuthServers } from '../../../testing/oauth-servers.js';
import { type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { type HttpServer, startHttpServer } from '../../server.js';
import { accountRoutes } from '../account/index.js';
import { authRoutes } from './index.js';

let servers: OAuthServers;
let test: RouteTest;
let http: HttpServer;

beforeAll(async () => {
  servers = await startOAuthServers();
  const env = { ...servers.env, SIGN_IN_LIMIT_PER_ADDRESS_PER_MINUTE: '1000' };
  test = await startRouteTest(import.meta.url, [...authRoutes, ...accountRoutes], [], { env });
  http = await startHttpServer(test.app, { host: '127.0.0.1', port: 0 }, test.ctx.openStreams);
});
afterAll(async () => {
  await http?.stop(0);
  await test?.stop();
  await servers?.stop();
});

const api = () => request(`http://${http.address}`);
const start = (query: Record<string, string>) => api().post('/api/v1/auth/oauth/start').query(query);

/** Follows the browser's way to the provider and gives the callback that it is sent back to. */
async function throughProvider(redirectUrl: string): Promise<URL> {
  let url = redirectUrl;
  while (!url.includes('/auth/oauth/callback')) {
    const res = await fetch(url, { redirect: 'manual' });
    url = res.headers.get('location')!;
  }
  return new URL(url);
}

const open = (url: URL) => api().get(url.pathname + url.search);

async function signIn(provider: string, query: Record<string, string> = {}) {
  const { status, body } = await start({ provider, ...query });
  expect(status).toBe(200);
  return open(await throughProvider(body.redirect_url));
}

function someone(isVerified = true): void {
  Object.assign(servers.person, {
    subject: String(Math.floor(Math.random() * 2 ** 40)),
    email: `${randomUUID()}@example.com`,
    isVerified,
  });
}

describe.each(['google', 'github'])('signing in with %s', (provider) => {
  it('makes an account the first time and knows its person afterwards, even under a new e-mail', async () => {
    someone();
    const first = await signIn(provider);
    expect(first.status).toBe(200);
    expect(first.body.user.email).toBe(servers.person.email);
    expect(first.body.signup_project.issued_key.secret_key).toMatch(/^tg_sk_/);
    servers.person.email = `${randomUUID()}@example.com`;
    const again = await signIn(provider);
    expect(again.body.user).toEqual(first.body.user);
    expect(again.body).not.toHaveProperty('signup_project');
    const me = await api().get('/api/v1/auth/me').set('Authorization', `Bearer ${again.body.access_token}`);
    expect(me.body.user.id).toBe(first.body.user.id);
  });

  it('hands the tokens over in the fragment of where the app asked for them, with its nonce', async () => {
    someone();
    const res = await signIn(provider, { return_to: 'http://127.0.0.1:49999/done?x=1', handoff_nonce: 'n-1' });
    expect(res.status).toBe(303);
    const location = new URL(res.headers.location!);
    expect(location.href).toMatch(/^http:\/\/127\.0\.0\.1:49999\/done\?x=1#/);
    const handed = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    expect(handed).toMatchObject({ token_type: 'Bearer', handoff_nonce: 'n-1', refresh_token: expect.any(String) });
    const me = await api().get('/api/v1/auth/me').set('Authorization', `Bearer ${handed.access_token}`);
    expect(me.status).toBe(200);
  });

  it('does not open the account of a password user with the same e-mail', async () => {
    someone();
    await api().post('/api/v1/auth/register').send({ email: servers.person.email, password: 'long enough password' });
    const plain = await signIn(provider);
    expect(plain.status).toBe(403);
    const app = await signIn(provider, { return_to: 'https://app.example.com/', handoff_nonce: 'n' });
    expect(app.headers.location).toMatch(/#error=account_exists&/);
    expect(app.headers.location).not.toContain('token');
  });

  it('makes no account without a verified e-mail', async () => {
    someone(false);
    expect((await signIn(provider)).status).toBe(403);
  });

  it('takes a callback once, and only the one that it began', async () => {
    someone();
    const { body } = await start({ provider });
    const callback = await throughProvider(body.redirect_url);
    expect((await open(callback)).status).toBe(200);
    expect((await open(callback)).status).toBe(400);
    callback.searchParams.set('state', 'invented');
    expect((await open(callback)).status).toBe(400);
  });

  it('refuses a code that was made for another sign-in', async () => {
    someone();
    const mine = await throughProvider((await start({ provider })).body.redirect_url);
    const theirs = await throughProvider((await start({ provider })).body.redirect_url);
    mine.searchParams.set('code', theirs.searchParams.get('code')!);
    expect((await open(mine)).status).toBe(403);
  });

  it('says so when the person declined', async () => {
    const { body } = await start({ provider, return_to: 'http://localhost:1/' });
    const state = new URL(body.redirect_url).searchParams.get('state')!;
    const res = await api().get('/api/v1/auth/oauth/callback').query({ state, error: 'access_denied' });
    expect(res.headers.location).toMatch(/^http:\/\/localhost:1\/#error=access_denied/);
  });
});

describe('POST /auth/oauth/start, 400', () => {
  it.each([
    [{ provider: 'gitlab' }, 'provider'],
    [{}, 'provider'],
    [{ provider: 'google', return_to: 'https://evil.example/' }, 'return_to'],
    [{ provider: 'google', handoff_nonce: 'x'.repeat(257) }, 'handoff_nonce'],
  ] as const)('%j', async (query, field) => {
    const { status, body } = await start(query as Record<string, string>);
    expect([status, body.fields[0].field]).toEqual([400, field]);
  });

  it('names a provider that is not configured', async () => {
    const { oauth } = test.ctx;
    Object.defineProperty(test.ctx, 'oauth', { value: { names: [] }, writable: true, configurable: true });
    expect((await start({ provider: 'google' })).body.message).toBe('sign-in with google is not configured');
    test.ctx.oauth = oauth;
  });
});

describe('GET /account/audit-log', () => {
  it('tells the owner of sign-ins, wrong passwords and the reuse of a refresh token, and nobody else', async () => {
    const owner = { email: `${randomUUID()}@example.com`, password: 'long enough password' };
    const { body } = await api().post('/api/v1/auth/register').send(owner);
    await api()
      .post('/api/v1/auth/login')
      .send({ ...owner, password: 'wrong' });
    const { body: session } = await api().post('/api/v1/auth/login').send(owner);
    for (let i = 0; i < 2; i++) await api().post('/api/v1/auth/refresh').send({ refresh_token: session.refresh_token });
    const log = (token: string, query = {}) =>
      api().get('/api/v1/account/audit-log').query(query).set('Authorization', `Bearer ${token}`);
    const { events } = (await log(body.access_token)).body;
    expect(events.map(({ action }: { action: string }) => action)).toEqual([
      'session.reuse_detected',
      'session.started',
      'session.refused',
      'account.registered',
    ]);
    expect(events[1]).toMatchObject({ actor: { kind: 'user', id: body.user.id }, request_id: expect.any(String) });
    const page = (await log(body.access_token, { limit: 1, action: 'session.refused' })).body;
    expect(page).toEqual({ events: [events[2]] });
    expect((await log(test.stranger.ownerToken)).body.events).toEqual([]);
    expect((await log(test.tenant.secretKey)).status).toBe(403);
  });
});

describe('lockout', () => {
  it('after ten wrong passwords in a row even the right one has to wait, with and without an account', async () => {
    const owner = { email: `${randomUUID()}@example.com`, password: 'long enough password' };
    await api().post('/api/v1/auth/register').send(owner);
    const login = (email: string, password: string) => api().post('/api/v1/auth/login').send({ email, password });
    test.ctx.config.limitsPerMinute.signInPerEmail = 1_000;
    for (const email of [owner.email, `${randomUUID()}@example.com`]) {
      for (let i = 0; i < 10; i++) expect((await login(email, 'wrong')).status).toBe(401);
      const locked = await login(email, owner.password);
      expect(locked.status).toBe(429);
      expect(Number(locked.headers['retry-after'])).toBeGreaterThan(50);
    }
    await test.ctx.pool.query("UPDATE sign_in_failures SET locked_until = now() - interval '1 s'");
    expect((await login(owner.email, owner.password)).status).toBe(200);
    expect((await login(owner.email, 'wrong')).status).toBe(401);
    expect((await login(owner.email, owner.password)).status).toBe(200);
  });
});
