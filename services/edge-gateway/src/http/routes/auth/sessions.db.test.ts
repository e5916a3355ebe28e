import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { authRouter } from './index.js';

const PASSWORD = 'long enough password';
const HOME = '198.51.100.1';
const ELSEWHERE = '203.0.113.7';

let harness: RouteTest;
let addresses = 0;

beforeAll(async () => {
  const env = { TRUST_PROXY_HOPS: '1', SIGN_IN_LIMIT_PER_ADDRESS_PER_MINUTE: '1000' };
  harness = await startRouteTest(import.meta.url, [authRouter], [], { env });
});
afterAll(() => harness.stop());

interface From {
  address: string;
  cookie?: string;
}

const post = (path: string, body: object, { address, cookie = '' }: From) =>
  request(harness.app).post(`/api/v1/auth/${path}`).set({ 'X-Forwarded-For': address, Cookie: cookie }).send(body);
const login = (email: string, password: string, from: From) => post('login', { email, password }, from);
const readCookie = ({ headers }: request.Response) => String(headers['set-cookie']).split(';')[0]!;
const newAddress = () => `192.0.2.${++addresses}`;

async function register(from: From = { address: HOME }) {
  const email = `${randomUUID()}@example.com`;
  const res = await post('register', { email, password: PASSWORD }, from);
  expect(res.status).toBe(201);
  return { email, cookie: readCookie(res) };
}

/** Makes failing sign-ins under a raised limit per minute. */
async function failTimes(times: number, email: string, fromOf: () => From): Promise<void> {
  const { limitsPerMinute } = harness.ctx.config;
  const kept = limitsPerMinute.signInPerEmail;
  limitsPerMinute.signInPerEmail = 1_000;
  for (let i = 0; i < times; i++) expect((await login(email, 'wrong', fromOf())).status).toBe(401);
  limitsPerMinute.signInPerEmail = kept;
}

const endPause = (email: string) =>
  harness.ctx.pool.query("UPDATE sign_in_sources SET blocked_until = NULL WHERE email_key = $1 AND source = ''", [
    email,
  ]);

describe('wrong passwords', () => {
  it('locks the email for their address, even for the right password, with and without an account', async () => {
    for (const email of [(await register()).email, `${randomUUID()}@example.com`]) {
      const from = { address: newAddress() };
      await failTimes(10, email, () => from);
      const locked = await login(email, PASSWORD, from);
      expect(locked.status).toBe(429);
      expect(Number(locked.headers['retry-after'])).toBeGreaterThan(50);
    }
  });

  it('locks no other address', async () => {
    const { email } = await register();
    await failTimes(10, email, () => ({ address: ELSEWHERE }));
    expect((await login(email, PASSWORD, { address: HOME })).status).toBe(200);
  });

  it('delays only unknown sources, briefly, after failures from many addresses', async () => {
    const { email } = await register();
    await failTimes(10, email, () => ({ address: newAddress() }));
    const unknown = await login(email, PASSWORD, { address: newAddress() });
    expect(unknown.status).toBe(429);
    expect(Number(unknown.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await login(email, PASSWORD, { address: HOME })).status).toBe(200);
    await endPause(email);
    const moved = newAddress();
    expect((await login(email, PASSWORD, { address: moved })).status).toBe(200);
    expect((await login(email, PASSWORD, { address: moved })).status).toBe(200);
  });

  it("keeps the owner's browser unlocked after failures from the owner's address", async () => {
    const { email, cookie } = await register();
    await failTimes(10, email, () => ({ address: HOME }));
    expect((await login(email, PASSWORD, { address: HOME })).status).toBe(429);
    expect((await login(email, PASSWORD, { address: HOME, cookie })).status).toBe(200);
    // The address stays locked for other browsers.
    expect((await login(email, PASSWORD, { address: HOME })).status).toBe(429);
  });

  it('locks a known browser after its own failures', async () => {
    const { email, cookie } = await register();
    await failTimes(10, email, () => ({ address: newAddress(), cookie }));
    expect((await login(email, PASSWORD, { address: newAddress(), cookie })).status).toBe(429);
  });

  it('resets the count after the right password', async () => {
    const { email } = await register();
    for (let round = 0; round < 2; round++) {
      await failTimes(9, email, () => ({ address: HOME }));
      expect((await login(email, PASSWORD, { address: HOME })).status).toBe(200);
    }
  });
});

describe('the limit per email', () => {
  it('ignores attempts from elsewhere for a known source', async () => {
    const { email } = await register();
    const { signInPerEmail } = harness.ctx.config.limitsPerMinute;
    const answers = [];
    for (let i = 0; i < signInPerEmail + 5; i++) {
      await endPause(email);
      answers.push((await login(email, 'wrong', { address: newAddress() })).status);
    }
    expect(answers.filter((status) => status === 429)).toHaveLength(5);
    expect((await login(email, PASSWORD, { address: HOME })).status).toBe(200);
  });
});

describe('a known browser', () => {
  it('keeps its id over several sign-ins and is not stored in the clear', async () => {
    const { email, cookie } = await register();
    const again = await login(email, PASSWORD, { address: newAddress(), cookie });
    expect(readCookie(again)).toBe(cookie);
    const { rows } = await harness.ctx.pool.query('SELECT source FROM sign_in_sources WHERE email_key = $1', [email]);
    expect(JSON.stringify(rows)).not.toContain(cookie.split('=')[1]);
  });

  it('counts as known only for the email that signed in from it', async () => {
    const [mine, theirs] = [await register(), await register()];
    await failTimes(10, mine.email, () => ({ address: newAddress() }));
    const from = { address: newAddress(), cookie: theirs.cookie };
    expect((await login(mine.email, PASSWORD, from)).status).toBe(429);
  });
});
