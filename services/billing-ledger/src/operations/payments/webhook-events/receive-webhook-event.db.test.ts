import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { callAs, ownerPrincipal } from '../../../testing/ledger-harness.js';
import { buy, makeCustomer, URLS } from '../../../testing/payments-harness.js';
import { subscriptionActions, usePayments } from '../../../testing/use-payments.js';

const harness = usePayments('webhook_events');
const { project, changes, changeTier, checkout, readState } = subscriptionActions(harness);

describe('webhook events', () => {
  it('rejects events that are unsigned, signed with another secret, changed or too old', async () => {
    const payload = JSON.stringify({ object: 'event', type: 'customer.created', data: { object: {} } });
    const sign = (secret: string, timestamp?: number) =>
      harness.stripe.webhooks.generateTestHeaderString({ payload, secret, ...(timestamp && { timestamp }) });
    const now = Math.floor(Date.now() / 1_000);
    const attempts: [string, string][] = [
      [payload, ''],
      [payload, sign('whsec_other')],
      [`${payload} `, sign('whsec_test')],
      [payload, sign('whsec_test', now - 400)],
    ];
    for (const [body, signature] of attempts) {
      const call = harness.payments.receiveNotice({ payload: Buffer.from(body), signature }, callAs(ownerPrincipal()));
      await expect(call).rejects.toMatchObject({ code: 'INVALID_INPUT', status: 400 });
    }
    const good = { payload: Buffer.from(payload), signature: sign('whsec_test', now - 200) };
    await harness.payments.receiveNotice(good, callAs(ownerPrincipal()));
  });

  it.each(['null', '5', '[]', '{}', '{"type":"x"}', '{"type":"x","data":{"object":null}}'])(
    'rejects an event whose signed body is %s',
    async (payload) => {
      const signature = harness.stripe.webhooks.generateTestHeaderString({ payload, secret: 'whsec_test' });
      const call = harness.payments.receiveNotice(
        { payload: Buffer.from(payload), signature },
        callAs(ownerPrincipal()),
      );
      await expect(call).rejects.toMatchObject({ code: 'INVALID_INPUT', status: 400 });
    },
  );

  it('leaves one subscription and one event for any order, repeats and concurrency', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const before = (await changes(owner)).length;
    harness.processor.webhooks.hold();
    const { sessionId } = await checkout(owner, id, 'pro');
    harness.processor.pay(sessionId);
    const events = harness.processor.webhooks.waiting().reverse();
    const other = await harness.replica();
    await Promise.all(
      [...events, ...events].map((event, i) => harness.notify(event, i % 2 ? other.payments : undefined)),
    );
    expect(await readState(owner, id)).toBe('pro active');
    expect((await changes(owner)).slice(before)).toHaveLength(1);
  });

  it('creates one customer for concurrent events of a checkout without a customer', async () => {
    const owner = await project();
    harness.processor.webhooks.hold();
    const tier = { case: 'tierCode' as const, value: 'pro' };
    const { sessionId } = await harness.payments.createCheckout({ tier, ...URLS }, callAs(owner));
    harness.processor.pay(sessionId, { email: 'payer@example.org' });
    const events = harness.processor.webhooks.waiting();
    await Promise.all([...events, ...events, ...events].map((event) => harness.notify(event)));
    const { customers } = await harness.billing.listCustomers({}, callAs(owner));
    expect(customers).toHaveLength(1);
    expect(customers[0]?.subscription?.tierCode).toBe('pro');
  });

  it('restores nothing when events arrive after the subscription ended and another started', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    harness.processor.setSubscriptionStatus(await buy(harness, owner, id, 'pro'), 'canceled');
    await harness.settled();
    const late = harness.processor.webhooks.all().filter((event) => event.type.startsWith('customer.subscription'));
    await buy(harness, owner, id, 'max');
    for (const event of late) await harness.notify(event);
    expect(await readState(owner, id)).toBe('max active');
  });

  it('keeps the state of the later read when reads overtake each other', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const processorId = await buy(harness, owner, id, 'pro');
    harness.processor.webhooks.hold();
    harness.processor.setSubscriptionStatus(processorId, 'past_due');
    const [stale] = harness.processor.webhooks.waiting();
    // The first event reads `past_due` and hangs. Then the payment succeeds and is reported.
    const slow = harness.processor.faults.pause(new RegExp(`GET /v1/subscriptions/${processorId}`));
    const first = harness.notify(stale!);
    await slow.reached;
    harness.processor.setSubscriptionStatus(processorId, 'active');
    await harness.notify(harness.processor.webhooks.waiting().at(-1)!);
    slow.release();
    await first;
    expect(await readState(owner, id)).toBe('pro active');
  });

  it('answers 503 while the processor is unavailable, and applies the event when it is repeated', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    harness.processor.webhooks.hold();
    const { sessionId } = await checkout(owner, id, 'pro');
    harness.processor.pay(sessionId);
    const done = harness.processor.webhooks.waiting().at(-1)!;
    harness.processor.faults.cut(/GET \/v1\/checkout/, 'before', 2);
    await expect(harness.notify(done)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await harness.notify(done);
    expect(await readState(owner, id)).toBe('pro active');
  });

  it('reads the state from the processor when webhook events are overdue', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    harness.processor.webhooks.hold();
    const { sessionId } = await checkout(owner, id, 'pro');
    harness.processor.pay(sessionId);
    harness.clock.advance({ minutes: 16 });
    await waitUntil(async () => (await readState(owner, id)) === 'pro active', {
      what: 'the checkout to be found paid',
    });
    await changeTier(owner, id, 'free');
    harness.clock.advance({ days: 32 });
    harness.processor.passTime();
    await waitUntil(async () => (await readState(owner, id)) === 'free active', {
      what: 'the end of the subscription to be found',
    });
  });
});
