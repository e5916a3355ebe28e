import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { authRouter } from './index.js';

const HOST = 'console.example.com';
const SAME_ORIGIN = { Host: HOST, Origin: `https://${HOST}`, 'Sec-Fetch-Site': 'same-origin' };

let harness: RouteTest;
beforeAll(async () => {
  const env = { SIGN_IN_LIMIT_PER_ADDRESS_PER_MINUTE: '1000', PUBLIC_BASE_URL: 'https://api.example.com' };
  harness = await startRouteTest(import.meta.url, [authRouter], [], { env });
});
afterAll(() => harness.stop());

type Headers = Record<string, string>;
const PATH = '/api/v1/auth/browser-session';
const keep = (refresh_token: string, headers: Headers = SAME_ORIGIN) =>
  request(harness.app).put(PATH).set(headers).send({ refresh_token });
const resume = (Cookie: string, headers: Headers = SAME_ORIGIN) =>
  request(harness.app)
    .post(PATH)
    .set({ ...headers, Cookie });
const end = (Cookie: string, headers: Headers = SAME_ORIGIN) =>
  request(harness.app)
    .delete(PATH)
    .set({ ...headers, Cookie });
const readCookie = ({ headers }: request.Response) => String(headers['set-cookie']).split(';')[0]!;
const readMe = (token: string) => request(harness.app).get('/api/v1/auth/me').set('Authorization', `Bearer ${token}`);

async function register() {
  const body = { email: `${randomUUID()}@example.com`, password: 'long enough password' };
  return (await request(harness.app).post('/api/v1/auth/register').send(body)).body;
}

async function signIn(): Promise<string> {
  const kept = await keep((await register()).refresh_token);
  expect(kept.status).toBe(200);
  return readCookie(kept);
}

describe('PUT /auth/browser-session', () => {
  it('keeps the session in a cookie that scripts and other sites cannot use, and returns no refresh token', async () => {
    const { refresh_token, user } = await register();
    const kept = await keep(refresh_token);
    expect(kept.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^tollgate_session=rt_[\w-]{43}; Path=\/api\/v1\/auth\/browser-session; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
      ),
    ]);
    expect(Object.keys(kept.body).sort()).toEqual(['access_token', 'expires_at']);
    expect((await readMe(kept.body.access_token)).body.user.id).toBe(user.id);
  });

  it('uses up the token that the page has seen', async () => {
    const { refresh_token } = await register();
    const kept = await keep(refresh_token);
    expect(readCookie(kept)).not.toContain(refresh_token);
    expect((await keep(refresh_token)).status).toBe(401);
  });

  it('rejects an unknown token', async () => {
    expect((await keep(`rt_${'x'.repeat(43)}`)).status).toBe(401);
  });
});

describe('POST /auth/browser-session/sign-up', () => {
  const signUp = (email: string, headers: Headers = SAME_ORIGIN) =>
    request(harness.app).post(`${PATH}/sign-up`).set(headers).send({ email, password: 'long enough password' });

  it('creates an account with a project and no key, and keeps the session in the cookie', async () => {
    const email = `${randomUUID()}@example.com`;
    const made = await signUp(email);
    expect([made.status, Object.keys(made.body).sort()]).toEqual([201, ['access_token', 'expires_at']]);
    expect(made.text).not.toMatch(/_sk_|rt_/);
    const { user } = (await readMe(made.body.access_token)).body;
    expect(user.email).toBe(email);
    const { rows } = await harness.ctx.pool.query('SELECT 1 FROM api_keys WHERE project_id = $1', [user.project_id]);
    expect(rows).toEqual([]);
    expect((await resume(readCookie(made))).status).toBe(200);
    const audit = await harness.ctx.pool.query('SELECT action FROM audit_events WHERE actor_id = $1', [user.id]);
    expect(audit.rows).toEqual([{ action: 'account.registered' }]);
  });

  it('rejects a second account of an email, a short password and pages of other origins', async () => {
    const email = `${randomUUID()}@example.com`;
    await signUp(email);
    expect((await signUp(email.toUpperCase())).status).toBe(409);
    const short = await request(harness.app)
      .post(`${PATH}/sign-up`)
      .set(SAME_ORIGIN)
      .send({ email, password: 'short' });
    expect(short.status).toBe(400);
    const foreign = await signUp(`${randomUUID()}@example.com`, { Host: HOST, Origin: 'https://evil.example' });
    expect([foreign.status, foreign.headers['set-cookie']]).toEqual([403, undefined]);
  });
});

describe('POST /auth/browser-session', () => {
  it('returns access tokens as long as the cookie is valid, for several tabs at once', async () => {
    const cookie = await signIn();
    const answers = await Promise.all([resume(cookie), resume(cookie), resume(cookie)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await readMe(answers[2].body.access_token)).status).toBe(200);
  });

  it.each(['', 'tollgate_session=', 'tollgate_session=rt_short', `tollgate_session=rt_${'x'.repeat(43)}`])(
    'rejects the cookie %j',
    async (cookie) => {
      expect((await resume(cookie)).status).toBe(401);
    },
  );

  it('rejects a session that has expired', async () => {
    const cookie = await signIn();
    await harness.ctx.pool.query("UPDATE refresh_tokens SET expires_at = now() - interval '1 second'");
    expect((await resume(cookie)).status).toBe(401);
  });
});

describe('DELETE /auth/browser-session', () => {
  it('ends the session and deletes the cookie', async () => {
    const cookie = await signIn();
    const { body } = await resume(cookie);
    const ended = await end(cookie);
    expect([ended.status, ended.headers['set-cookie']]).toEqual([204, [expect.stringContaining('Max-Age=0')]]);
    expect((await resume(cookie)).status).toBe(401);
    expect((await readMe(body.access_token)).status).toBe(401);
  });

  it('answers 204 without a session', async () => {
    expect((await end('')).status).toBe(204);
  });
});

describe('pages of other origins', () => {
  const foreign: Headers[] = [
    { Host: HOST, Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
    { Host: HOST, Origin: 'https://evil.example' },
    { Host: HOST, Origin: `https://${HOST}.evil.example` },
    { Host: HOST, Origin: 'null' },
    { Host: HOST, Origin: `https://${HOST}`, 'Sec-Fetch-Site': 'same-site' },
  ];

  it.each(foreign)('rejects %j', async (headers) => {
    const cookie = await signIn();
    expect((await resume(cookie, headers)).status).toBe(403);
    expect((await end(cookie, headers)).status).toBe(403);
    const kept = await keep((await register()).refresh_token, headers);
    expect([kept.status, kept.headers['set-cookie']]).toEqual([403, undefined]);
    expect((await resume(cookie)).status).toBe(200);
  });

  it('accepts the public address where a proxy passes on another host, and programs without an origin', async () => {
    const cookie = await signIn();
    const origin = { Host: 'edge.internal:8080', Origin: 'https://api.example.com' };
    expect((await resume(cookie, origin)).status).toBe(200);
    expect((await resume(cookie, { Host: HOST })).status).toBe(200);
  });
});

describe('GET /auth/sign-in-options', () => {
  it('lists the providers, and the demo owner in development only', async () => {
    const read = async () => (await request(harness.app).get('/api/v1/auth/sign-in-options')).body;
    const none = { oauth_providers: [], oauth_names: {}, password_reset: true };
    expect(await read()).toEqual({ ...none, demo_owner: true });
    harness.ctx.config.devMode = false;
    expect(await read()).toEqual({ ...none, demo_owner: false });
    harness.ctx.config.devMode = true;
  });
});
