// Tests the limits of people behind one network address, such as those of an office.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { authRouter } from './index.js';

const LIMIT = 5;
const SAME_ORIGIN = { Host: 'console.example.com', Origin: 'https://console.example.com' };
const PATH = '/api/v1/auth/browser-session';

let harness: RouteTest;
beforeAll(async () => {
  const env = { SIGN_IN_LIMIT_PER_ADDRESS_PER_MINUTE: String(LIMIT), PUBLIC_BASE_URL: 'https://api.example.com' };
  harness = await startRouteTest(import.meta.url, [authRouter], [], { env });
});
afterAll(() => harness.stop());

const resume = (Cookie: string) =>
  request(harness.app)
    .post(PATH)
    .set({ ...SAME_ORIGIN, Cookie });
const refresh = (refresh_token: string) => request(harness.app).post('/api/v1/auth/refresh').send({ refresh_token });

/** Sends the requests one after the other. */
async function statuses(count: number, send: () => Promise<{ status: number }>): Promise<number[]> {
  const seen: number[] = [];
  for (let n = 0; n < count; n++) seen.push((await send()).status);
  return seen;
}

it('continues any number of valid sessions, and limits guesses', async () => {
  const account = { email: `${randomUUID()}@example.com`, password: 'long enough password' };
  const { body: first } = await request(harness.app).post('/api/v1/auth/register').send(account);
  const kept = await request(harness.app).put(PATH).set(SAME_ORIGIN).send({ refresh_token: first.refresh_token });
  const cookie = String(kept.headers['set-cookie']).split(';')[0]!;
  expect(new Set(await statuses(3 * LIMIT, () => resume(cookie)))).toEqual(new Set([200]));

  let token = (await request(harness.app).post('/api/v1/auth/login').send(account)).body.refresh_token;
  const rotate = async () => {
    const answer = await refresh(token);
    token = answer.body.refresh_token;
    return answer;
  };
  expect(new Set(await statuses(2 * LIMIT, rotate))).toEqual(new Set([200]));

  const guesses = await statuses(LIMIT + 1, () => refresh(`rt_${'x'.repeat(43)}`));
  expect(guesses).toEqual([...Array(LIMIT).fill(401), 429]);
  expect((await resume(cookie)).status).toBe(200);
});
