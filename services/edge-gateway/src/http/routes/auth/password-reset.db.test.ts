import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withTransaction } from '@tollgate/postgres';
import { waitUntil } from '@tollgate/testkit';
import { exportJWK, generateKeyPair } from 'jose';
import request from 'supertest';
import { sendMails } from '../../../operations/mail/send-mails.js';
import { hashPassword } from '../../../operations/sign-in/passwords.js';
import { registerOwner } from '../../../operations/sign-in/register-owner.js';
import { startSession } from '../../../operations/tokens/start-session.js';
import { listLocalMails } from '../../../store/mails.js';
import { updatePasswordHash } from '../../../store/users.js';
import { type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { authRouter } from './index.js';

const OLD = 'the old pass phrase';
const NEW = 'the new pass phrase';

let harness: RouteTest;
beforeAll(async () => {
  harness = await startRouteTest(import.meta.url, [authRouter], [], {
    env: { SIGN_IN_LIMIT_PER_ADDRESS_PER_MINUTE: '200', SIGN_IN_LIMIT_PER_EMAIL_PER_MINUTE: '4' },
  });
});
afterAll(() => harness.stop());

const post = (path: string, body: object) => request(harness.app).post(`/api/v1${path}`).send(body);
const forget = (email: string) => post('/auth/password-reset', { email });

async function makeUser() {
  const email = `${randomUUID()}@example.com`;
  const { user, project } = await registerOwner(harness.ctx, { email, password: OLD });
  return { email, user, session: await startSession(harness.ctx, user.id, project.id) };
}

async function isWaitingForLock(): Promise<boolean> {
  const { rows } = await harness.ctx.pool.query(
    "SELECT FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'",
    [harness.ctx.config.database.schema],
  );
  return rows.length > 0;
}

/** Returns the code of the last mail to the address. */
async function readCode(email: string): Promise<string> {
  while (await sendMails(harness.ctx));
  const mails = await listLocalMails(harness.ctx.pool, 100);
  return /#([\w-]+)/.exec(mails.find(({ recipient }) => recipient === email)?.text ?? '')?.[1] ?? '';
}

describe('a password reset', () => {
  it('replaces the password and ends every session and refresh token', async () => {
    const { email, user, session } = await makeUser();
    const second = await startSession(harness.ctx, user.id, harness.tenant.projectId);
    expect((await forget(email)).status).toBe(204);
    const code = await readCode(email);
    expect((await post('/auth/password-reset/complete', { code, password: NEW })).status).toBe(204);
    for (const { accessToken, refreshToken } of [session, second]) {
      const me = await request(harness.app).get('/api/v1/auth/me').set('Authorization', `Bearer ${accessToken}`);
      expect(me.status).toBe(401);
      expect((await post('/auth/refresh', { refresh_token: refreshToken })).status).toBe(401);
    }
    expect((await post('/auth/login', { email, password: OLD })).status).toBe(401);
    expect((await post('/auth/login', { email, password: NEW })).status).toBe(200);
    const { rows } = await harness.ctx.pool.query('SELECT action FROM audit_events WHERE subject_id = $1', [user.id]);
    expect(rows.map(({ action }) => action)).toContain('password.reset');
  });

  it('starts no session for the old password that a sign-in has verified just before', async () => {
    const { email, user } = await makeUser();
    const answer = await withTransaction(harness.ctx.pool, async (tx) => {
      await updatePasswordHash(tx, user.id, await hashPassword(NEW));
      let isAnswered = false;
      const asked = post('/auth/login', { email, password: OLD }).then((it) => {
        isAnswered = true;
        return it;
      });
      await waitUntil(async () => isAnswered || (await isWaitingForLock()), { what: 'the sign-in' });
      return { asked };
    });
    expect((await answer.asked).status).toBe(401);
    expect((await post('/auth/login', { email, password: NEW })).status).toBe(200);
  });

  it('works once, also for concurrent requests, and ends the other links of the user', async () => {
    const { email } = await makeUser();
    await forget(email);
    const first = await readCode(email);
    await forget(email);
    const second = await readCode(email);
    const complete = (code: string) => post('/auth/password-reset/complete', { code, password: NEW });
    const answers = await Promise.all([complete(first), complete(first), complete(first)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    expect((await complete(second)).status).toBe(404);
  });

  it('does not work after half an hour', async () => {
    const { email } = await makeUser();
    await forget(email);
    const code = await readCode(email);
    await harness.ctx.pool.query("UPDATE one_time_codes SET expires_at = now() - interval '1 second'");
    expect((await post('/auth/password-reset/complete', { code, password: NEW })).status).toBe(404);
    expect((await post('/auth/login', { email, password: OLD })).status).toBe(200);
  });

  it('answers alike for an address without an account, and sends it no mail', async () => {
    const { email } = await makeUser();
    const nobody = `${randomUUID()}@example.com`;
    const [known, unknown] = [await forget(email), await forget(nobody)];
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    expect(Object.keys(unknown.headers)).toEqual(Object.keys(known.headers));
    expect(await readCode(nobody)).toBe('');
  });

  it('limits the requests per email', async () => {
    const email = `${randomUUID()}@example.com`;
    const statuses = [];
    for (let i = 0; i < 6; i++) statuses.push((await forget(email)).status);
    expect(statuses).toEqual([204, 204, 204, 204, 429, 429]);
  });

  it('refuses a short password without using the link up', async () => {
    const { email } = await makeUser();
    await forget(email);
    const code = await readCode(email);
    expect((await post('/auth/password-reset/complete', { code, password: 'short' })).status).toBe(400);
    expect((await post('/auth/password-reset/complete', { code, password: NEW })).status).toBe(204);
  });
});

describe('the local mailbox', () => {
  it('shows mails with their links, and loads nothing', async () => {
    const { email } = await makeUser();
    await forget(email);
    const code = await readCode(email);
    const { status, text, headers } = await request(harness.app).get('/mailbox');
    expect(status).toBe(200);
    expect(text).toContain(`#${code}"`);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('answers 403 without CORS to pages of another origin and to other names of this host', async () => {
    const refused: Record<string, string>[] = [
      { Origin: 'http://localhost:3000' },
      { Origin: 'null' },
      { Host: 'rebound.example' },
    ];
    for (const sent of refused) {
      const answer = await request(harness.app).get('/mailbox').set(sent);
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    }
  });
});

describe('an installation without mail', () => {
  it('answers 404 for both, and has no mailbox', async () => {
    const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
    const jwk = { ...(await exportJWK(privateKey)), kid: 'k1' };
    const env = { DEV_MODE: '0', KEY_PEPPER: 'p'.repeat(40), JWT_PRIVATE_KEYS: JSON.stringify([jwk]) };
    const other = await startRouteTest(import.meta.url.replace('.db.', '.none.'), [authRouter], [], { env });
    try {
      expect(
        (await request(other.app).post('/api/v1/auth/password-reset').send({ email: 'a@example.com' })).status,
      ).toBe(404);
      expect((await request(other.app).get('/mailbox')).status).toBe(404);
    } finally {
      await other.stop();
    }
  });
});
