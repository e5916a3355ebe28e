import { timestampDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { callAs } from '../../../testing/ledger-harness.js';
import { buy, findSubscription, makeCustomer, makeProject } from '../../../testing/payments-harness.js';
import { usePayments } from '../../../testing/use-payments.js';

const harness = usePayments('preview_tier_change');

const preview = (owner: Principal, customerId: string, tierCode: string) =>
  harness.payments.previewTierChange({ customerId, tierCode }, callAs(owner));

async function customerOn(tier: string): Promise<{ owner: Principal; id: string; processorId: string }> {
  const owner = await makeProject(harness);
  const id = await makeCustomer(harness, owner, 'free');
  const processorId = tier === 'free' ? '' : await buy(harness, owner, id, tier);
  return { owner, id, processorId };
}

async function readPeriod(processorId: string): Promise<{ start: number; end: number }> {
  const item = (await harness.stripe.subscriptions.retrieve(processorId)).items.data[0]!;
  return { start: item.current_period_start, end: item.current_period_end };
}

async function passHalfPeriod(processorId: string): Promise<number> {
  const { start, end } = await readPeriod(processorId);
  await harness.pass({ seconds: (end - start) / 2 });
  return end;
}

describe('a preview of a tier change', () => {
  it('returns the price of an upgrade now, which the change then charges', async () => {
    const { owner, id, processorId } = await customerOn('pro');
    const end = await passHalfPeriod(processorId);
    const shown = await preview(owner, id, 'max');
    expect(shown).toMatchObject({
      action: 'upgraded',
      currency: 'usd',
      dueNowCents: 3_500n,
      creditCents: 0n,
      nextAmountCents: 9_000n,
    });
    expect(shown.effectiveAt).toBeUndefined();
    expect(timestampDate(shown.nextAt!)).toEqual(new Date(end * 1_000));
    await harness.payments.changeTier({ customerId: id, tierCode: 'max' }, callAs(owner));
    const { latest_invoice } = await harness.stripe.subscriptions.retrieve(processorId, { expand: ['latest_invoice'] });
    expect(latest_invoice).toMatchObject({ amount_paid: Number(shown.dueNowCents) });
  });

  it('returns the credit of a downgrade for later invoices', async () => {
    const { owner, id, processorId } = await customerOn('max');
    await passHalfPeriod(processorId);
    const shown = await preview(owner, id, 'pro');
    expect(shown).toMatchObject({
      action: 'downgraded',
      dueNowCents: 0n,
      creditCents: 3_500n,
      nextAmountCents: 2_000n,
    });
  });

  it('returns the end of a paid tier, and no charge', async () => {
    const { owner, id, processorId } = await customerOn('pro');
    const { end } = await readPeriod(processorId);
    const shown = await preview(owner, id, 'free');
    expect(shown).toMatchObject({ action: 'scheduled_cancellation', dueNowCents: 0n, creditCents: 0n });
    expect(shown.nextAmountCents).toBeUndefined();
    expect(timestampDate(shown.effectiveAt!)).toEqual(new Date(end * 1_000));
  });

  it('requires a checkout for a paid tier, with the price or the trial', async () => {
    const { owner, id } = await customerOn('free');
    expect(await preview(owner, id, 'pro')).toMatchObject({ action: 'checkout', dueNowCents: 2_000n, currency: 'usd' });
    const trial = await preview(owner, id, 'trial');
    expect(trial).toMatchObject({ action: 'checkout', dueNowCents: 0n, nextAmountCents: 3_000n, trialDays: 14 });
  });

  it('requires a checkout from a customer without a subscription', async () => {
    const owner = await makeProject(harness);
    const email = 'new@example.com';
    const { envelope } = await harness.billing.createCustomer({ externalId: 'new', email }, callAs(owner));
    const id = envelope!.customer!.id;
    expect(await preview(owner, id, 'pro')).toMatchObject({ action: 'checkout', dueNowCents: 2_000n });
    await expect(preview(owner, id, 'free')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('returns no charge between free tiers, and for the present tier', async () => {
    const { owner, id } = await customerOn('free');
    expect(await preview(owner, id, 'other')).toMatchObject({ action: 'changed', dueNowCents: 0n });
    expect(await preview(owner, id, 'free')).toMatchObject({ action: 'unchanged', dueNowCents: 0n });
  });

  it.each([
    ['paygo', 'CONFLICT'],
    ['unpriced', 'CONFLICT'],
    ['missing', 'NOT_FOUND'],
  ])('rejects %s like the change itself', async (tierCode, code) => {
    const { owner, id } = await customerOn('free');
    await expect(preview(owner, id, tierCode)).rejects.toMatchObject({ code });
  });

  it('changes nothing', async () => {
    const { owner, id, processorId } = await customerOn('pro');
    const before = await findSubscription(harness, owner, id);
    const invoices = (await harness.stripe.invoices.list({ subscription: processorId })).data.length;
    for (const tierCode of ['max', 'twin', 'free', 'trial']) await preview(owner, id, tierCode);
    await harness.settled();
    const now = await findSubscription(harness, owner, id);
    expect([now?.tierCode, now?.subscriptionStatus]).toEqual([before?.tierCode, before?.subscriptionStatus]);
    expect((await harness.stripe.invoices.list({ subscription: processorId })).data).toHaveLength(invoices);
    const subscription = await harness.stripe.subscriptions.retrieve(processorId);
    expect(subscription).toMatchObject({ cancel_at_period_end: false });
  });

  it("hides another project's customer", async () => {
    const { id } = await customerOn('free');
    const other = await makeProject(harness);
    await expect(preview(other, id, 'pro')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
