import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/runtime';
import { type Mailer, MailRefused } from '../../clients/mail/mailer.js';
import { MAIL_ATTEMPTS_MAX, type Mail } from '../../domain/mail/mail.js';
import { type RouteTest, startRouteTest } from '../../testing/route-test.js';
import { registerOwner } from '../sign-in/register-owner.js';
import { queueMail } from './queue-mail.js';
import { sendMails } from './send-mails.js';

/** A mail server whose answers a test chooses. */
class TestServer implements Mailer {
  readonly accepted: Mail[] = [];
  answer: () => Promise<void> = async () => undefined;

  async send(mail: Mail): Promise<void> {
    await this.answer();
    this.accepted.push(mail);
  }
}

let harness: RouteTest;
let server: TestServer;
let nowMs: number;

beforeAll(async () => {
  harness = await startRouteTest(import.meta.url, [], []);
});
afterAll(() => harness.stop());
beforeEach(async () => {
  server = new TestServer();
  nowMs = Date.now();
  await harness.ctx.pool.query('DELETE FROM mails');
  await harness.ctx.pool.query('DELETE FROM one_time_codes');
});

/** Another process with the same database. */
function parts() {
  const clock = { ...systemClock, now: () => new Date(nowMs), nowMs: () => nowMs };
  return { ...harness.ctx, clock, mailer: server };
}

async function makeUser(): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  await registerOwner(harness.ctx, { email, password: randomUUID() });
  return email;
}

async function queueReset(recipient: string, minutes = 30): Promise<void> {
  const expiresAt = new Date(nowMs + minutes * 60_000);
  await queueMail(parts(), harness.ctx.pool, {
    kind: 'password_reset',
    recipient,
    baseUrl: 'https://gate.example',
    expiresAt,
  });
}

async function outcomes(): Promise<(string | null)[]> {
  const { rows } = await harness.ctx.pool.query('SELECT outcome FROM mails ORDER BY created_at, id');
  return rows.map(({ outcome }) => outcome);
}

it('sends a mail once, with a link whose code is stored only as a hash', async () => {
  const email = await makeUser();
  await queueReset(email);
  await Promise.all([sendMails(parts()), sendMails(parts())]);
  await sendMails(parts());
  expect(server.accepted.map(({ to }) => to)).toEqual([email]);
  const code = /#([\w-]{43})/.exec(server.accepted[0]!.text)?.[1];
  expect(code).toBeDefined();
  const { rows } = await harness.ctx.pool.query(
    'SELECT (SELECT jsonb_agg(to_jsonb(m)) FROM mails m)::text || (SELECT jsonb_agg(to_jsonb(c)) FROM one_time_codes c)::text AS all',
  );
  expect(rows[0].all).not.toContain(code);
  expect(await outcomes()).toEqual(['sent']);
});

it('sends nothing to an address without a user', async () => {
  await queueReset('nobody-has-this@example.com');
  await sendMails(parts());
  expect(server.accepted).toEqual([]);
  expect(await outcomes()).toEqual(['dropped']);
});

it('tries again after a growing pause, with the same id, and gives up after the last attempt', async () => {
  await queueReset(await makeUser(), 24 * 60);
  const tried: number[] = [];
  server.answer = async () => {
    tried.push(nowMs);
    throw Object.assign(new Error('451 later'), { responseCode: 451 });
  };
  const startMs = nowMs;
  while (nowMs < startMs + 12 * 3_600_000) {
    await sendMails(parts());
    nowMs += 60_000;
  }
  expect(tried.map((ms) => (ms - startMs) / 60_000)).toEqual([0, 1, 4, 13, 40, 121, 301, 481]);
  expect(await outcomes()).toEqual(['failed']);
});

it('gives a mail up after the last attempt or a final refusal', async () => {
  const email = await makeUser();
  await queueReset(email, 24 * 60);
  await harness.ctx.pool.query('UPDATE mails SET attempts = $1', [MAIL_ATTEMPTS_MAX - 1]);
  server.answer = () => Promise.reject(new Error('no connection'));
  await sendMails(parts());
  expect(await outcomes()).toEqual(['failed']);
  await queueReset(email);
  server.answer = () => Promise.reject(new MailRefused('550'));
  await sendMails(parts());
  expect(await outcomes()).toEqual(['failed', 'failed']);
});

it('does not lose a mail whose sender has stopped: another process sends it after the lease', async () => {
  await queueReset(await makeUser());
  await harness.ctx.pool.query("UPDATE mails SET attempts = 1, due_at = now() + interval '2 minutes'");
  await sendMails(parts());
  expect(server.accepted).toEqual([]);
  nowMs += 3 * 60_000;
  await sendMails(parts());
  expect(server.accepted).toHaveLength(1);
});

it('does not send a mail whose link has expired', async () => {
  await queueReset(await makeUser());
  nowMs += 31 * 60_000;
  await sendMails(parts());
  expect([server.accepted, await outcomes()]).toEqual([[], ['failed']]);
});

it('sends one user at most three links at once', async () => {
  const email = await makeUser();
  for (let i = 0; i < 5; i++) {
    await queueReset(email.toUpperCase());
    await sendMails(parts());
  }
  expect(server.accepted).toHaveLength(3);
});

it('sends one user at most three links if several are sent at the same time', async () => {
  const email = await makeUser();
  for (let i = 0; i < 6; i++) await queueReset(email);
  await Promise.all([1, 2, 3].map(() => sendMails(parts())));
  expect(server.accepted).toHaveLength(3);
});
