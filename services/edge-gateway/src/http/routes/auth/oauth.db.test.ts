import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { type OAuthServers, startOAuthServers } from '../../../testing/oauth-servers.js';
import { type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { type HttpServer, startHttpServer } from '../../server/server.js';
import { accountRouter } from '../account/index.js';
import { authRouter } from './index.js';

let servers: OAuthServers;
let harness: RouteTest;
let http: HttpServer;

beforeAll(async () => {
  servers = await startOAuthServers();
  const env = { ...servers.env, SIGN_IN_LIMIT_PER_ADDRESS_PER_MINUTE: '1000' };
  harness = await startRouteTest(import.meta.url, [authRouter, accountRouter], [], { env });
  http = await startHttpServer(harness.app, { host: '127.0.0.1', port: 0 }, harness.ctx.openStreams);
});
afterAll(async () => {
  await http?.stop(0);
  await harness?.stop();
  await servers?.stop();
});

const api = () => request(`http://${http.address}`);
const start = (query: Record<string, string>) => api().post('/api/v1/auth/oauth/start').query(query);

/** The callback URL of a browser and its cookie. */
interface Callback {
  url: URL;
  cookie: string;
}

/** Follows the redirects to the provider and returns the callback URL. */
async function throughProvider(redirectUrl: string): Promise<Callback> {
  let url = redirectUrl;
  let cookie = '';
  while (!url.includes('/auth/oauth/callback')) {
    const res = await fetch(url, { redirect: 'manual' });
    cookie = res.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    url = res.headers.get('location')!;
  }
  return { url: new URL(url), cookie };
}

const open = ({ url, cookie }: Callback) =>
  api()
    .get(url.pathname + url.search)
    .set('Cookie', cookie);

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

/** Counts the keys of the person's account. */
async function countKeys(): Promise<number> {
  const { rows } = await harness.ctx.pool.query<{ keys: number }>(
    `SELECT count(k.id)::int AS keys FROM users u JOIN projects p ON p.account_id = u.account_id
     LEFT JOIN api_keys k ON k.project_id = p.id WHERE u.email = $1`,
    [servers.person.email],
  );
  return rows[0]!.keys;
}

describe.each(['google', 'github'])('signing in with %s', (provider) => {
  it('creates an account once and recognizes the person afterwards, even under a new email', async () => {
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

  it("passes the tokens in the fragment of the app's return_to, with its nonce", async () => {
    someone();
    const res = await signIn(provider, { return_to: 'http://127.0.0.1:49999/done?x=1', handoff_nonce: 'n-1' });
    expect(res.status).toBe(303);
    const location = new URL(res.headers.location!);
    expect(location.href).toMatch(/^http:\/\/127\.0\.0\.1:49999\/done\?x=1#/);
    const handed = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    expect(handed).toMatchObject({ token_type: 'Bearer', handoff_nonce: 'n-1', refresh_token: expect.any(String) });
    const me = await api().get('/api/v1/auth/me').set('Authorization', `Bearer ${handed.access_token}`);
    expect(me.status).toBe(200);
    // The app could not receive the secret of a first key.
    expect(await countKeys()).toBe(0);
  });

  it('rejects an email that belongs to a password account', async () => {
    someone();
    await api().post('/api/v1/auth/register').send({ email: servers.person.email, password: 'long enough password' });
    const plain = await signIn(provider);
    expect(plain.status).toBe(403);
    const app = await signIn(provider, { return_to: 'https://app.example.com/', handoff_nonce: 'n' });
    expect(app.headers.location).toMatch(/#error=account_exists&/);
    expect(app.headers.location).not.toContain('token');
  });

  it('creates no account without a verified email', async () => {
    someone(false);
    expect((await signIn(provider)).status).toBe(403);
  });

  it('accepts a callback once, and only for a started sign-in', async () => {
    someone();
    const { body } = await start({ provider });
    const callback = await throughProvider(body.redirect_url);
    expect((await open(callback)).status).toBe(200);
    expect((await open(callback)).status).toBe(400);
    callback.url.searchParams.set('state', 'invented');
    expect((await open(callback)).status).toBe(400);
  });

  it('accepts a callback only from the browser that was redirected to the provider', async () => {
    someone();
    const { body } = await start({ provider });
    const mine = await throughProvider(body.redirect_url);
    const theirs = await throughProvider(body.redirect_url);
    for (const cookie of ['', 'tollgate_browser=x', theirs.cookie]) {
      const refused = await open({ ...mine, cookie });
      expect([refused.status, refused.body.message]).toEqual([
        400,
        'this sign-in was not started in this browser; start again',
      ]);
    }
    expect((await open(mine)).status).toBe(200);
  });

  it('supports several sign-ins of one browser', async () => {
    someone();
    const { body } = await start({ provider });
    const first = await throughProvider(body.redirect_url);
    const again = await fetch(body.redirect_url, { redirect: 'manual', headers: { Cookie: first.cookie } });
    expect(again.headers.get('set-cookie')).toContain(first.cookie);
    expect((await open(first)).status).toBe(200);
  });

  it('rejects a code of another sign-in', async () => {
    someone();
    const mine = await throughProvider((await start({ provider })).body.redirect_url);
    const theirs = await throughProvider((await start({ provider })).body.redirect_url);
    mine.url.searchParams.set('code', theirs.url.searchParams.get('code')!);
    expect((await open(mine)).status).toBe(403);
  });

  it('reports that the person declined', async () => {
    const { body } = await start({ provider, return_to: 'http://localhost:1/' });
    const { url, cookie } = await throughProvider(body.redirect_url);
    url.searchParams.delete('code');
    url.searchParams.set('error', 'access_denied');
    const res = await open({ url, cookie });
    expect(res.headers.location).toMatch(/^http:\/\/localhost:1\/#error=access_denied/);
  });
});

describe('signing in to the console', () => {
  const CONSOLE = '/console/p/1/requests?range=7d';
  const authorize = (query: Record<string, string>, headers: Record<string, string> = {}) =>
    api()
      .get('/api/v1/auth/oauth/authorize')
      .query({ provider: 'github', return_to: CONSOLE, ...query })
      .set(headers)
      .redirects(0);

  /** Follows the link of the sign-in page up to the callback. */
  async function reachCallback(query: Record<string, string> = {}): Promise<Callback> {
    const started = await authorize(query, { 'Sec-Fetch-Site': 'same-origin' });
    expect(started.status).toBe(303);
    const cookie = (started.headers['set-cookie'] as unknown as string[])[0]!.split(';')[0]!;
    return { ...(await throughProvider(started.headers.location!)), cookie };
  }

  it('keeps the session in a cookie, and returns to the page without tokens', async () => {
    someone();
    const done = await open(await reachCallback());
    expect([done.status, done.headers.location, done.text]).toEqual([303, CONSOLE, '']);
    const [session = ''] = done.headers['set-cookie'] as unknown as string[];
    expect(session).toMatch(
      /^tollgate_session=rt_[\w-]{43}; Path=\/api\/v1\/auth\/browser-session; .*HttpOnly; SameSite=Strict/,
    );
    const resumed = await api().post('/api/v1/auth/browser-session').set('Cookie', session.split(';')[0]!);
    expect(resumed.status).toBe(200);
    const me = await api().get('/api/v1/auth/me').set('Authorization', `Bearer ${resumed.body.access_token}`);
    expect(me.body.user.email).toBe(servers.person.email);
  });

  it('issues no secret key to a new account', async () => {
    someone();
    await open(await reachCallback());
    expect(await countKeys()).toBe(0);
  });

  it('completes once, and only in the browser that started it', async () => {
    someone();
    const mine = await reachCallback();
    const summarize = ({ status, headers }: request.Response) => [status, headers.location, headers['set-cookie']];
    for (const cookie of ['', `tollgate_browser=${'x'.repeat(43)}`]) {
      const refused = await open({ ...mine, cookie });
      expect(summarize(refused)).toEqual([303, '/console/sign-in?failed=other_browser', undefined]);
    }
    expect((await open(mine)).headers.location).toBe(CONSOLE);
    expect(summarize(await open(mine))).toEqual([303, '/console/sign-in?failed=expired', undefined]);
  });

  it('explains an expired link on the sign-in page', async () => {
    someone();
    const late = await reachCallback();
    await harness.ctx.pool.query("UPDATE oauth_sign_ins SET expires_at = now() - interval '1 s'");
    expect((await open(late)).headers.location).toBe('/console/sign-in?failed=expired');
  });

  it('returns to the sign-in page with the reason', async () => {
    const signInPage = (failed: string) =>
      `/console/sign-in?${new URLSearchParams({ failed, to: '/p/1/requests?range=7d' })}`;
    someone(false);
    const unverified = await open(await reachCallback());
    someone();
    await api().post('/api/v1/auth/register').send({ email: servers.person.email, password: 'long enough password' });
    const taken = await open(await reachCallback());
    const { url, cookie } = await reachCallback();
    url.searchParams.delete('code');
    url.searchParams.set('error', 'access_denied');
    const declined = await open({ url, cookie });
    expect([unverified, taken, declined].map(({ headers }) => headers.location)).toEqual(
      ['no_email', 'email_taken', 'declined'].map(signInPage),
    );
    for (const { headers } of [unverified, taken, declined]) expect(headers['set-cookie']).toBeUndefined();
  });

  it.each(['cross-site', 'same-site', 'none'])('rejects a start by a %s page', async (site) => {
    const refused = await authorize({}, { 'Sec-Fetch-Site': site });
    expect([refused.status, refused.headers.location]).toEqual([403, undefined]);
  });

  it.each(['//evil.example/console', '/console/..//evil.example', '/api/v1/models', 'https://evil.example/console'])(
    'rejects a return to %s',
    async (returnTo) => {
      const refused = await authorize({ return_to: returnTo }, { 'Sec-Fetch-Site': 'same-origin' });
      expect([refused.status, refused.headers.location]).toEqual([400, undefined]);
    },
  );
});

describe('a callback without a sign-in', () => {
  const callback = (query: string, accept = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8') =>
    api().get(`/api/v1/auth/oauth/callback${query}`).set('Accept', accept).redirects(0);

  it.each(['', '?code=c', '?state=&code=c', '?state=invented&code=c'])(
    'redirects a browser with %j to the sign-in page',
    async (query) => {
      const { status, headers } = await callback(query);
      expect([status, headers.location]).toEqual([303, '/console/sign-in?failed=other_browser']);
    },
  );

  it('answers programs with an error', async () => {
    for (const query of ['', '?state=invented']) expect((await callback(query, 'application/json')).status).toBe(400);
  });
});

describe('POST /auth/oauth/start, 400', () => {
  it.each([
    [{ provider: 'gitlab' }, 'provider'],
    [{}, 'provider'],
    [{ provider: 'google', return_to: 'https://evil.example/' }, 'return_to'],
    [{ provider: 'google', return_to: '/console' }, 'return_to'],
    [{ provider: 'google', handoff_nonce: 'x'.repeat(257) }, 'handoff_nonce'],
  ] as const)('rejects %j', async (query, field) => {
    const { status, body } = await start(query as Record<string, string>);
    expect([status, body.fields[0].field]).toEqual([400, field]);
  });

  it('names a provider that is not configured', async () => {
    const { oauth } = harness.ctx;
    Object.defineProperty(harness.ctx, 'oauth', { value: { ids: [] }, writable: true, configurable: true });
    expect((await start({ provider: 'google' })).body.message).toBe('sign-in with google is not configured');
    harness.ctx.oauth = oauth;
  });
});

describe('GET /account/audit-log', () => {
  it('shows only the owner sign-ins, wrong passwords and the reuse of a refresh token', async () => {
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
    expect((await log(harness.stranger.ownerToken)).body.events).toEqual([]);
    expect((await log(harness.tenant.secretKey)).status).toBe(403);
  });
});
