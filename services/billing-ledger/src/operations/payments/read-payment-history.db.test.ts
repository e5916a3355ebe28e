import { expect, it } from '@jest/globals';
import type { Payment } from '@tollgate/contracts/billing/v1/payments_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { eventTypes } from '@tollgate/events';
import { waitUntil } from '@tollgate/testkit';
import { callAs } from '../../testing/ledger-harness.js';
import { buy, makeCustomer } from '../../testing/payments-harness.js';
import { subscriptionActions, usePayments } from '../../testing/use-payments.js';

const harness = usePayments('payment_history');
const { project } = subscriptionActions(harness);

const list = async (owner: Principal, customerId: string) =>
  harness.payments.listProjectPayments({ limit: 100, customerId }, callAs(owner));
/** Oldest first, such as `renewal completed 2000`. */
const rows = (payments: readonly Payment[]) =>
  payments.map(({ kind, status, amountCents }) => `${kind} ${status} ${amountCents}`).reverse();
const readRows = async (owner: Principal, customerId: string) => rows((await list(owner, customerId)).payments);
const succeeded = (owner: Principal) => harness.ledger.events(eventTypes.paymentSucceeded, owner.projectId);

async function subscriber() {
  const owner = await project();
  const id = await makeCustomer(harness, owner, 'free');
  const subscription = await buy(harness, owner, id, 'pro');
  // The processor's times are whole seconds: what follows is in another one.
  await harness.pass({ minutes: 1 });
  return { owner, id, subscription };
}

it('reads the payments that the processor had before, page by page, without events', async () => {
  const { owner, id } = await subscriber();
  // As if an earlier version had received the events.
  harness.processor.webhooks.hold();
  harness.clock.advance({ days: 731 });
  harness.processor.passTime();
  const { pool } = harness.ledger.database;
  await pool.query(`UPDATE processor_customers SET history_due_at = 'epoch' WHERE ref_id = $1`, [id]);
  const isRead = async () => (await list(owner, id)).payments.length === 25;
  await waitUntil(isRead, { what: 'the payments to be read' });
  const kinds = new Set(['subscription completed 2000', 'renewal completed 2000']);
  expect(new Set(await readRows(owner, id))).toEqual(kinds);
  // Of the purchase, and perhaps of the newest renewal: the check of due subscriptions may read it first.
  expect((await succeeded(owner)).length).toBeLessThanOrEqual(2);
});
