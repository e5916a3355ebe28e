import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventTypes, newEvent } from '@tollgate/events';
import { accountEvents } from '../consumers/events.js';
import { type RouteTest, startRouteTest } from '../testing/route-test.js';
import { sendMails } from './mail/send-mails.js';
import { registerOwner } from './sign-in/register-owner.js';

let harness: RouteTest;
beforeAll(async () => {
  harness = await startRouteTest(import.meta.url, [], []);
});
afterAll(() => harness.stop());

async function makeAccount() {
  const email = `${randomUUID()}@example.com`;
  await registerOwner(harness.ctx, { email, password: randomUUID() });
  const { rows } = await harness.ctx.pool.query('SELECT account_id FROM users WHERE email = $1', [email]);
  return { email, accountId: rows[0].account_id as string };
}

/** Delivers the event twice, as a transport may. */
async function deliver(accountId: string, values: { failureCount: number; isStopped: boolean }): Promise<void> {
  const message = {
    accountId,
    orderId: randomUUID(),
    amountCents: 2_500n,
    currency: 'usd',
    reason: 'Your card was declined.',
  };
  const event = newEvent(eventTypes.autoTopUpFailed, { key: accountId, message: { ...message, ...values } });
  const { handler } = accountEvents(harness.ctx);
  for (let times = 0; times < 2; times += 1)
    await handler!({ ...event, source: '/tollgate/test', headers: {}, position: '0:0' });
}

async function readMails(email: string): Promise<{ subject: string; text: string }[]> {
  while (await sendMails(harness.ctx));
  const { rows } = await harness.ctx.pool.query(
    'SELECT subject, text FROM mails WHERE recipient = $1 ORDER BY created_at, id',
    [email],
  );
  return rows;
}

it('sends one mail and one audit entry for a failed automatic top-up', async () => {
  const { email, accountId } = await makeAccount();
  await deliver(accountId, { failureCount: 1, isStopped: false });
  expect(await readMails(email)).toEqual([
    {
      subject: 'An automatic top-up failed',
      text: expect.stringMatching(
        /25\.00 USD.*Your card was declined\. Tollgate will try again later\.[\s\S]*\/console\//,
      ),
    },
  ]);
  const { rows } = await harness.ctx.pool.query('SELECT action, actor_kind FROM audit_events WHERE account_id = $1', [
    accountId,
  ]);
  expect(rows).toContainEqual({ action: 'auto_topup.failed', actor_kind: 'system' });
  expect(rows.filter(({ action }) => action === 'auto_topup.failed')).toHaveLength(1);
});

it('reports when automatic top-ups are switched off', async () => {
  const { email, accountId } = await makeAccount();
  await deliver(accountId, { failureCount: 5, isStopped: true });
  expect(await readMails(email)).toMatchObject([{ subject: 'Automatic top-ups were switched off' }]);
});
