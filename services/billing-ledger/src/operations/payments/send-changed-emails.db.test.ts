import { expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { callAs } from '../../testing/ledger-harness.js';
import { buy, makeCustomer, makeProject } from '../../testing/payments-harness.js';
import { usePayments } from '../../testing/use-payments.js';

const harness = usePayments('changed_emails');

async function payingCustomer() {
  const owner = await makeProject(harness);
  const id = await makeCustomer(harness, owner, 'free');
  const subscription = await buy(harness, owner, id, 'pro');
  const payer = (await harness.stripe.subscriptions.retrieve(subscription)).customer as string;
  return { owner, id, readEmail: () => harness.processor.store.get('customer', payer)?.email };
}

const countUpdates = () =>
  harness.processor.requests().filter(({ method, path }) => method === 'POST' && /^\/v1\/customers\/./.test(path))
    .length;

it('gives the processor an email that was changed, even if the first call fails', async () => {
  const { owner, id, readEmail } = await payingCustomer();
  harness.processor.faults.cut(/POST \/v1\/customers\//, 'before', 3);
  await harness.billing.updateCustomer({ id, email: 'new@example.com' }, callAs(owner));
  await waitUntil(
    async () => {
      harness.clock.advance({ minutes: 1 });
      return readEmail() === 'new@example.com';
    },
    { what: 'the new email at the processor' },
  );
});

it('gives the processor the email of an upsert once, and no email that did not change', async () => {
  const { owner, id, readEmail } = await payingCustomer();
  const { envelope } = await harness.billing.getCustomer({ by: { case: 'id', value: id } }, callAs(owner));
  const externalId = envelope?.customer?.externalId ?? '';
  const before = countUpdates();
  for (let times = 0; times < 2; times += 1) {
    await harness.billing.upsertCustomer({ externalId, email: 'upserted@example.com' }, callAs(owner));
    await waitUntil(() => readEmail() === 'upserted@example.com', { what: 'the email at the processor' });
  }
  await harness.billing.updateCustomer({ id, metadataJson: '{}' }, callAs(owner));
  const { rows } = await harness.ledger.database.pool.query(
    'SELECT 1 FROM processor_customers WHERE ref_id = $1 AND email_due_at IS NOT NULL AND email = $2',
    [id, 'upserted@example.com'],
  );
  expect(rows).toEqual([]);
  expect(countUpdates()).toBe(before + 1);
});
