import { randomUUID } from 'node:crypto';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { eventTypes } from '@tollgate/events';
import { waitUntil } from '@tollgate/testkit';
import fc from 'fast-check';
import { callAs, ECHO, fundOwner, fundWallet, ownerPrincipal } from '../../../testing/ledger-harness.js';
import { buy, findSubscription, makeCustomer, makeTier } from '../../../testing/payments-harness.js';
import { subscriptionActions, usePayments } from '../../../testing/use-payments.js';

const harness = usePayments('used_allowance');
const { changeTier, readState } = subscriptionActions(harness);

const CENT = 1_000_000n;
/** Tokens of input that cost one cent at the tiers' price. */
const TOKENS_PER_CENT = 10_000n;
const LIMITS = { free: 5, other: 8, pro: 20, twin: 20, max: 100, proy: 240, maxy: 1_200 };

let owner: Principal;
beforeEach(async () => {
  owner = ownerPrincipal();
  await fundOwner(harness.billing, owner, 1_000_000n * CENT);
  const limit = (tierCode: keyof typeof LIMITS) => ({ tierCode, spendLimitCents: BigInt(LIMITS[tierCode]) });
  await makeTier(harness, owner, { ...limit('free'), isDefault: true });
  await makeTier(harness, owner, limit('other'));
  await makeTier(harness, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  await makeTier(harness, owner, { ...limit('pro'), priceCents: 2_000 });
  await makeTier(harness, owner, { ...limit('twin'), priceCents: 2_000 });
  await makeTier(harness, owner, { ...limit('max'), priceCents: 10_000 });
  await makeTier(harness, owner, { ...limit('proy'), priceCents: 20_000, interval: 'year' });
  await makeTier(harness, owner, { ...limit('maxy'), priceCents: 100_000, interval: 'year' });
});

/** Holds cents of a customer's allowance; returns the hold's id, or undefined if the allowance does not cover them. */
async function hold(customerId: string, cents: number): Promise<string | undefined> {
  const holdId = randomUUID();
  const req = { holdId, model: ECHO, inputTokensEstimate: BigInt(cents) * TOKENS_PER_CENT, maxOutputTokens: 0 };
  const { decision } = await harness.billing.admit(req, callAs({ ...owner, customerId }));
  if (decision.case === 'admitted') return holdId;
  expect(decision).toMatchObject({ value: { code: 'TIER_ALLOWANCE_EXHAUSTED' } });
  return undefined;
}

async function settle(customerId: string, holdId: string, cents: number): Promise<void> {
  const usage = { inputTokens: BigInt(cents) * TOKENS_PER_CENT, outputTokens: 0n };
  await harness.billing.settle({ holdId, usage }, callAs({ ...owner, customerId }));
}

async function use(customerId: string, cents: number): Promise<boolean> {
  const holdId = await hold(customerId, cents);
  if (holdId) await settle(customerId, holdId, cents);
  return holdId !== undefined;
}

/** Uses the rest of the allowance, cent by cent; returns the cents. */
async function useUp(customerId: string): Promise<number> {
  let used = 0;
  for (let step = 1_024; step >= 1; step /= 2) if (await use(customerId, step)) used += step;
  return used;
}

async function subscriber(tierCode: string): Promise<string> {
  const id = await makeCustomer(harness, owner, 'free');
  await buy(harness, owner, id, tierCode);
  return id;
}

const remaining = async (customerId: string) =>
  (await harness.billing.getCustomerUsage({ customerId }, callAs(owner))).spendRemainingMicrocents;

async function changeAtOnce(customerId: string, tierCodes: readonly string[]): Promise<void> {
  for (const tierCode of tierCodes) {
    await harness.pass({ seconds: 1 });
    await changeTier(owner, customerId, tierCode);
    await harness.settled();
  }
}

/** Moves the plan in the processor's dashboard. */
async function movePlan(subscriptionId: string, tierCode: string): Promise<void> {
  const { tiers } = await harness.billing.listTiers({}, callAs(owner));
  const price = tiers.find((tier) => tier.tierCode === tierCode)?.billingPriceRef ?? '';
  const item = (await harness.stripe.subscriptions.retrieve(subscriptionId)).items.data[0]?.id ?? '';
  await harness.stripe.subscriptions.update(subscriptionId, { items: [{ id: item, price }] });
}

describe('what was used before a tier change', () => {
  it('counts against the allowance of the other interval, in both directions and in every round', async () => {
    const id = await subscriber('pro');
    let total = await useUp(id);
    for (const tierCode of ['proy', 'pro', 'proy', 'pro', 'proy']) {
      await changeAtOnce(id, [tierCode]);
      total += await useUp(id);
    }
    expect(total).toBe(LIMITS.proy);
    expect(await harness.billing.verifyLedger({}, callAs(owner))).toMatchObject({ differences: [] });
  });

  it('counts after an upgrade and the way back, until the renewal starts at zero', async () => {
    const id = await subscriber('pro');
    await changeAtOnce(id, ['max']);
    expect(await use(id, 46)).toBe(true);
    await changeAtOnce(id, ['pro']);
    expect(await use(id, 1)).toBe(false);
    expect(await remaining(id)).toBe(0n);
    await harness.pass({ days: 31 });
    expect(await remaining(id)).toBe(20n * CENT);
    expect(await useUp(id)).toBe(LIMITS.pro);
  });

  it('shows the same remaining allowance that admission grants', async () => {
    const id = await subscriber('pro');
    await use(id, 15);
    await changeAtOnce(id, ['proy']);
    expect(await harness.billing.getCustomerUsage({ customerId: id }, callAs(owner))).toMatchObject({
      totalCostMicrocents: 15n * CENT,
      spendRemainingMicrocents: 225n * CENT,
    });
    expect(await useUp(id)).toBe(225);
  });

  it('counts when the processor reports only the last of several changes', async () => {
    const id = await subscriber('pro');
    expect(await useUp(id)).toBe(LIMITS.pro);
    const subscription = (await findSubscription(harness, owner, id))?.billingSubscriptionId ?? '';
    harness.processor.webhooks.hold();
    harness.clock.advance({ days: 3 });
    await movePlan(subscription, 'proy');
    await movePlan(subscription, 'pro');
    harness.processor.webhooks.release();
    await harness.settled();
    expect(await readState(owner, id)).toBe('pro active');
    expect(await use(id, 1)).toBe(false);
  });

  it('counts after a cancellation and a new purchase in the same period', async () => {
    const id = await subscriber('pro');
    await use(id, 18);
    harness.clock.advance({ days: 5 });
    const subscription = (await findSubscription(harness, owner, id))?.billingSubscriptionId ?? '';
    harness.processor.setSubscriptionStatus(subscription, 'canceled');
    await harness.settled();
    expect(await use(id, 1)).toBe(false);
    await buy(harness, owner, id, 'pro');
    expect(await useUp(id)).toBe(2);
    await harness.pass({ days: 32 });
    expect(await useUp(id)).toBe(LIMITS.pro);
  });

  it('does not count after a cancellation at the period’s end, even if this clock is behind the processor’s', async () => {
    const id = await subscriber('pro');
    await useUp(id);
    await changeTier(owner, id, 'free');
    harness.processor.webhooks.hold();
    harness.clock.advance({ days: 32 });
    harness.processor.passTime();
    harness.clock.advance({ days: -1.5 });
    harness.processor.webhooks.release();
    await harness.settled();
    expect(await readState(owner, id)).toBe('free active');
    expect(await useUp(id)).toBe(LIMITS.free);
  });

  it('counts on the way through a pay-as-you-go tier, whose usage the wallet pays', async () => {
    const id = await makeCustomer(harness, owner, 'free');
    const set = (tierCode: string) => harness.billing.setSubscription({ customerId: id, tierCode }, callAs(owner));
    expect(await useUp(id)).toBe(LIMITS.free);
    await fundWallet(harness.billing, owner, id, 50n * CENT);
    harness.clock.advance({ days: 1 });
    await set('paygo');
    expect(await use(id, 40)).toBe(true);
    harness.clock.advance({ days: 1 });
    await set('other');
    expect(await useUp(id)).toBe(LIMITS.other - LIMITS.free);
    for (const tierCode of ['free', 'other', 'paygo', 'other']) {
      harness.clock.advance({ hours: 1 });
      await set(tierCode);
    }
    expect(await use(id, 1)).toBe(false);
  });

  it('counts against the period that the owner declares with another tier, and not at a renewal', async () => {
    for (const tierCode of ['ext', 'plus'])
      await makeTier(harness, owner, { tierCode, priceCents: 900, billingProvider: 'external', spendLimitCents: 30n });
    const id = await makeCustomer(harness, owner);
    const day = (n: number) => timestampFromMs(startMs + n * 86_400_000);
    const startMs = harness.clock.nowMs();
    const set = (tierCode: string, from: number) =>
      harness.billing.setSubscription(
        { customerId: id, tierCode, currentPeriodStart: day(from), currentPeriodEnd: day(from + 30) },
        callAs(owner),
      );
    await set('ext', 0);
    await use(id, 25);
    harness.clock.advance({ days: 10 });
    await set('plus', 10);
    await set('ext', 10);
    await set('ext', 10);
    expect(await useUp(id)).toBe(5);
    harness.clock.advance({ days: 29 });
    await set('ext', 39);
    expect(await useUp(id)).toBe(30);
  });

  it('counts when a trial is exchanged for a paid tier', async () => {
    await makeTier(harness, owner, { tierCode: 'trial', priceCents: 3_000, trialDays: 14, spendLimitCents: 30n });
    const id = await subscriber('trial');
    expect(await useUp(id)).toBe(30);
    await changeAtOnce(id, ['pro', 'max']);
    expect(await useUp(id)).toBe(LIMITS.max - 30);
  });

  it('includes requests that were admitted before the change and settled after it', async () => {
    const id = await subscriber('max');
    const holds = [await hold(id, 30), await hold(id, 30)];
    await changeAtOnce(id, ['proy']);
    expect(await use(id, LIMITS.proy - 59)).toBe(false);
    await settle(id, holds[0] as string, 30);
    await settle(id, holds[1] as string, 10);
    await changeAtOnce(id, ['pro']);
    expect(await use(id, 1)).toBe(false);
    await changeAtOnce(id, ['proy']);
    expect(await useUp(id)).toBe(LIMITS.proy - 40);
    expect(await harness.billing.verifyLedger({}, callAs(owner))).toMatchObject({ differences: [], openHolds: 0n });
  });

  it('counts on a tier without a ceiling', async () => {
    await makeTier(harness, owner, { tierCode: 'open' });
    const id = await makeCustomer(harness, owner, 'open');
    expect(await use(id, 500)).toBe(true);
    await changeAtOnce(id, ['other']);
    expect(await use(id, 1)).toBe(false);
    await changeAtOnce(id, ['open']);
    expect(await use(id, 500)).toBe(true);
  });

  it('announces the thresholds of the new period’s allowance', async () => {
    const id = await subscriber('pro');
    const percents = async () =>
      (await harness.ledger.events(eventTypes.thresholdExceeded, owner.projectId))
        .filter(({ customerId }) => customerId === id)
        .map(({ thresholdPercent: percent, limitMicrocents }) => `${percent} of ${limitMicrocents / CENT}`);
    await useUp(id);
    await waitUntil(async () => (await percents()).length === 3, { what: 'the thresholds of the month' });
    await changeAtOnce(id, ['proy']);
    await use(id, 110);
    await waitUntil(async () => (await percents()).length === 4, { what: 'the threshold of the year' });
    expect((await percents()).sort()).toEqual(['100 of 20', '50 of 20', '50 of 240', '80 of 20']);
  });
});

it('keeps to the allowance of the costliest tier of a window, after any sequence of changes', async () => {
  const tiers = ['pro', 'twin', 'max', 'proy', 'maxy'] as const;
  const step = fc.record({
    tier: fc.constantFrom(...tiers),
    uses: fc.nat(300),
    hours: fc.integer({ min: 0, max: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 7 }), async (steps) => {
      const id = await subscriber('pro');
      // Within a month no subscription renews, so all usage is in one window.
      const leftMs = harness.clock.nowMs() + 28 * 86_400_000;
      let used = 0;
      for (const { tier, uses, hours } of steps) {
        if (harness.clock.nowMs() + hours * 3_600_000 < leftMs) await harness.pass({ hours });
        await changeTier(owner, id, tier);
        await harness.settled();
        const isAllowed = used + uses <= LIMITS[tier];
        if (uses > 0) expect(await use(id, uses)).toBe(isAllowed);
        if (isAllowed) used += uses;
        const left = LIMITS[tier] - used;
        expect(await remaining(id)).toBe(left > 0 ? BigInt(left) * CENT : 0n);
      }
    }),
    { numRuns: 6, seed: Number(process.env.LEDGER_PROOF_SEED ?? 11) },
  );
});
