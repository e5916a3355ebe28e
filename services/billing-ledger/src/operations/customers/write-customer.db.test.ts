import { randomUUID } from 'node:crypto';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { eventTypes } from '@tollgate/events';
import {
  type BillingClient,
  callAs,
  customerOn,
  ECHO,
  fundOwner,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from '../../testing/ledger-harness.js';

let harness: LedgerHarness;
let billing: BillingClient;

beforeAll(async () => {
  harness = await startLedgerHarness('customers');
  billing = harness.billing;
});
afterAll(() => harness.stop());

async function createCustomer(owner: Principal, email = 'someone@example.com', externalId: string = randomUUID()) {
  const { envelope } = await billing.createCustomer({ externalId, email }, callAs(owner));
  return { id: envelope?.customer?.id ?? '', externalId };
}

const prepare = (owner: Principal, customerId: string, tierCode = '', client = billing) =>
  client.prepareCustomerToken({ by: { case: 'customerId', value: customerId }, tierCode }, callAs(owner));

describe('writing a customer', () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });
  const owner = ownerPrincipal();

  it.each<[string, string, boolean]>([
    ['of exactly 10,240 bytes', JSON.stringify({ a: 'x'.repeat(10_240 - 8) }), true],
    ['of one byte more', JSON.stringify({ a: 'x'.repeat(10_240 - 7) }), false],
    ['counted compact, not as sent', `{ "a" : "${'x'.repeat(10_240 - 8)}" }`, true],
    ['counted in UTF-8', JSON.stringify({ a: 'é'.repeat(5_117) }), false],
    ['with a key of 40 characters', JSON.stringify({ ['k'.repeat(40)]: 1 }), true],
    ['with a key of 41', JSON.stringify({ ['k'.repeat(41)]: 1 }), false],
    ['with a long key deep inside', JSON.stringify({ a: [{ ['k'.repeat(41)]: 1 }] }), false],
    ['of 5 levels', JSON.stringify(deep(5)), true],
    ['of 6', JSON.stringify(deep(6)), false],
    ['of 6 with arrays', JSON.stringify({ a: [[[[[1]]]]] }), false],
    ['of every type', '{"s":"x","n":1.5,"b":true,"z":null,"a":[1],"o":{}}', true],
    ['that is not an object', '[]', false],
    ['with a NUL', JSON.stringify({ a: ['\0'] }), false],
  ])('enforces the limits of metadata: %s', async (_, metadataJson, isGood) => {
    const writing = billing.createCustomer({ externalId: randomUUID(), email: 'a@b.cd', metadataJson }, callAs(owner));
    if (!isGood) return expect(writing).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(JSON.parse((await writing).envelope?.customer?.metadataJson ?? '')).toEqual(JSON.parse(metadataJson));
  });

  it('keeps the digits of numbers in metadata that JavaScript rounds, in answers and events', async () => {
    const metadataJson = '{"n":12345678901234567890}';
    const made = await billing.createCustomer(
      { externalId: randomUUID(), email: 'a@b.cd', metadataJson },
      callAs(owner),
    );
    const { id = '' } = made.envelope?.customer ?? {};
    const read = await billing.getCustomer({ by: { case: 'id', value: id } }, callAs(owner));
    for (const { envelope } of [made, read]) expect(envelope?.customer?.metadataJson).toBe(metadataJson);
  });

  it.each([
    ['an empty external id', { externalId: '' }, 'external_id'],
    ['one of 256 characters', { externalId: 'x'.repeat(256) }, 'external_id'],
    ['one with a NUL', { externalId: 'a\0' }, 'external_id'],
    ['no email', { email: '' }, 'email'],
    ['an email without a domain', { email: 'someone' }, 'email'],
  ])('rejects %s and names the field', async (_, values, field) => {
    const req = { externalId: 'x', email: 'a@b.cd', ...values };
    await expect(billing.createCustomer(req, callAs(owner))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: [expect.objectContaining({ field })],
    });
  });

  it('rejects a second customer with the same external id in one project', async () => {
    const { externalId } = await createCustomer(owner);
    await expect(createCustomer(owner, 'a@b.cd', externalId)).rejects.toMatchObject({ code: 'CONFLICT' });
    await createCustomer(ownerPrincipal(), 'a@b.cd', externalId);
  });

  it('creates one customer for many concurrent upserts on two replicas', async () => {
    const mine = ownerPrincipal();
    const other = await harness.replica();
    const externalId = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        (i % 2 ? other : billing).upsertCustomer({ externalId, email: `user${i}@example.com` }, callAs(mine)),
      ),
    );
    expect(answers.filter((answer) => answer.created)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.envelope?.customer?.id)).size).toBe(1);
    expect((await billing.listCustomers({ limit: 10 }, callAs(mine))).customers).toHaveLength(1);
    expect(await harness.events(eventTypes.customerCreated, mine.projectId)).toHaveLength(1);
    expect(await harness.events(eventTypes.customerUpdated, mine.projectId)).toHaveLength(39);
  });

  it('keeps one customer when deletions and upserts run concurrently', async () => {
    const mine = ownerPrincipal();
    const externalId = randomUUID();
    const upsert = () => billing.upsertCustomer({ externalId, email: 'a@b.cd' }, callAs(mine));
    for (let round = 0; round < 10; round++) {
      const id = (await upsert()).envelope?.customer?.id ?? '';
      await Promise.all([upsert(), billing.deleteCustomer({ id }, callAs(mine)), upsert()]);
    }
    await upsert();
    expect((await billing.listCustomers({ limit: 10 }, callAs(mine))).customers).toHaveLength(1);
  });

  it('keeps absent metadata and clears it with an empty object', async () => {
    const externalId = randomUUID();
    const upsert = async (values: object) =>
      JSON.parse(
        (await billing.upsertCustomer({ externalId, email: 'a@b.cd', ...values }, callAs(owner))).envelope?.customer
          ?.metadataJson ?? '',
      );
    await upsert({ metadataJson: '{"a":1}' });
    expect(await upsert({})).toEqual({ a: 1 });
    expect(await upsert({ metadataJson: '{}' })).toEqual({});
  });

  it('emits created, updated and deleted events, each with the tier', async () => {
    const mine = ownerPrincipal();
    const { id } = await customerOn(billing, mine, { tierCode: 'free' });
    const { customer } = (await billing.getCustomer({ by: { case: 'id', value: id } }, callAs(mine))).envelope ?? {};
    const externalId = customer?.externalId ?? '';
    await billing.upsertCustomer({ externalId, email: 'new@example.com', metadataJson: '{"a":1}' }, callAs(mine));
    await billing.deleteCustomer({ id }, callAs(mine));
    expect(await harness.events(eventTypes.customerCreated, mine.projectId)).toMatchObject([{ customerId: id }]);
    expect(await harness.events(eventTypes.customerUpdated, mine.projectId)).toMatchObject([
      { customerId: id, externalId, email: 'new@example.com', tierCode: 'free', metadataJson: '{"a":1}' },
    ]);
    expect(await harness.events(eventTypes.customerDeleted, mine.projectId)).toMatchObject([
      { customerId: id, externalId, tierCode: 'free' },
    ]);
  });

  it.each(['getCustomer', 'deleteCustomer'] as const)('answers NOT_FOUND for another project: %s', async (call) => {
    const { id } = await createCustomer(owner);
    const stranger = callAs(ownerPrincipal());
    const asking =
      call === 'getCustomer'
        ? billing.getCustomer({ by: { case: 'id', value: id } }, stranger)
        : billing.deleteCustomer({ id }, stranger);
    await expect(asking).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

it.each(['', ' ', 'NaN', 'ᢛ', `${randomUUID()}x`])('answers NOT_FOUND for the id %j', async (id) => {
  const call = callAs(ownerPrincipal());
  const asking = [
    billing.getCustomer({ by: { case: 'id', value: id } }, call),
    billing.deleteCustomer({ id }, call),
    billing.getCustomerUsage({ customerId: id }, call),
    billing.getCustomerBalance({ customerId: id }, call),
  ];
  for (const { status, ...answer } of await Promise.allSettled(asking))
    expect([status, answer]).toEqual(['rejected', { reason: expect.objectContaining({ code: 'NOT_FOUND' }) }]);
});

describe('claiming a customer', () => {
  const claim = (owner: Principal, email: string, subject: string, provider = 'github', client = billing) =>
    client.claimCustomer({ email, provider, subject }, callAs(owner)).then(({ envelope }) => envelope?.customer?.id);

  it('gives equal claims at the same time the same customer', async () => {
    const owner = ownerPrincipal();
    const email = 'twin@example.com';
    const made = await billing.createCustomer({ externalId: 'twin', email }, callAs(owner));
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim(owner, email, 'one')));
    expect(new Set(claims)).toEqual(new Set([made.envelope?.customer?.id]));
  });

  it('links the oldest customer without an identity of the provider, ignoring the email’s case', async () => {
    const owner = ownerPrincipal();
    const oldest = await createCustomer(owner, 'Ada@Example.com');
    const younger = await createCustomer(owner, 'ada@example.com');
    expect(await claim(owner, 'ADA@example.COM', 'one')).toBe(oldest.id);
    expect(await claim(owner, 'ada@example.com', 'one')).toBe(oldest.id);
    expect(await claim(owner, 'ada@example.com', 'two')).toBe(younger.id);
    expect(await claim(owner, 'ada@example.com', 'one', 'google')).toBe(oldest.id);
    await expect(claim(owner, 'ada@example.com', 'three')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('rejects an identity of another customer', async () => {
    const owner = ownerPrincipal();
    await createCustomer(owner, 'a@example.com');
    await createCustomer(owner, 'b@example.com');
    await claim(owner, 'a@example.com', 'one');
    await expect(claim(owner, 'b@example.com', 'one')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'identity already linked to a different customer',
    });
  });

  it('gives concurrent identities on two replicas different customers', async () => {
    const owner = ownerPrincipal();
    const other = await harness.replica();
    for (let i = 0; i < 6; i++) await createCustomer(owner, 'twin@example.com');
    const ids = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        claim(owner, 'twin@example.com', `subject-${i}`, 'github', i % 2 ? other : billing),
      ),
    );
    expect(new Set(ids).size).toBe(6);
  });

  describe('with a publishable key', () => {
    const asKey = (owner: Principal): Principal => ({ ...owner, kind: PrincipalKind.PUBLISHABLE_KEY });
    const asSignIn = (owner: Principal): Principal => ({ ...owner, kind: PrincipalKind.SYSTEM });

    it('does not lead a sign-in with another email to the claimed customer', async () => {
      const owner = ownerPrincipal();
      const victim = await createCustomer(owner, 'victim@example.com');
      const own = await createCustomer(owner, 'mallory@example.com');
      expect(await claim(asKey(owner), 'victim@example.com', 'mallory')).toBe(victim.id);
      expect(await claim(asSignIn(owner), 'mallory@example.com', 'mallory')).toBe(own.id);
      expect(await claim(asSignIn(owner), 'victim@example.com', 'victim')).toBe(victim.id);
    });

    it('does not block a sign-in with the email that the provider verified', async () => {
      const owner = ownerPrincipal();
      const victim = await createCustomer(owner, 'victim@example.com');
      await claim(asKey(owner), 'victim@example.com', 'somebody');
      expect(await claim(asSignIn(owner), 'victim@example.com', 'victim')).toBe(victim.id);
      await expect(claim(asKey(owner), 'victim@example.com', 'third')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    it('accepts a sign-in as proof, and finds the customer by it under any email', async () => {
      const owner = ownerPrincipal();
      const { id } = await createCustomer(owner, 'old@example.com');
      await createCustomer(owner, 'new@example.com');
      await claim(asKey(owner), 'old@example.com', 'one');
      expect(await claim(asSignIn(owner), 'old@example.com', 'one')).toBe(id);
      expect(await claim(asSignIn(owner), 'new@example.com', 'one')).toBe(id);
      await expect(claim(asKey(owner), 'new@example.com', 'one')).rejects.toMatchObject({ code: 'CONFLICT' });
    });

    it('differs from a claim with a secret key, which is proven', async () => {
      const owner = ownerPrincipal();
      const { id } = await createCustomer(owner, 'work@example.com');
      await claim(owner, 'work@example.com', 'one');
      expect(await claim(asSignIn(owner), 'private@example.com', 'one')).toBe(id);
    });
  });

  it('links identities per project', async () => {
    const owner = ownerPrincipal();
    await createCustomer(owner, 'a@example.com');
    await expect(claim(ownerPrincipal(), 'a@example.com', 'one')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([
    ['no email', '', 'one', 'github'],
    ['a subject with a NUL', 'a@example.com', 'o\0', 'github'],
    ['no provider', 'a@example.com', 'one', ''],
  ])('rejects %s', async (_, email, subject, provider) => {
    await expect(claim(ownerPrincipal(), email, subject, provider)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('preparing the first token', () => {
  const tiers = {
    free: {},
    paygo: { billingMode: 'paygo' },
    paid: { priceAmountCents: 500n, priceCurrency: 'usd', priceInterval: 'month', billingPriceRef: 'price_1' },
  };

  async function project(values: object = {}) {
    const owner = ownerPrincipal();
    for (const [tierCode, tier] of Object.entries(tiers)) {
      const models = [{ modelId: ECHO, isDefault: true }];
      await billing.createTier({ tierCode, displayName: tierCode, models, ...tier, ...values }, callAs(owner));
    }
    return owner;
  }

  it.each([
    ['free', undefined],
    ['paygo', undefined],
    ['paid', 'SUBSCRIPTION_INACTIVE'],
    ['nobody', 'NOT_FOUND'],
    ['', 'INVALID_INPUT'],
  ])('decides for tier `%s`', async (tierCode, code) => {
    const owner = await project();
    const { id } = await createCustomer(owner);
    const minting = prepare(owner, id, tierCode);
    if (code) return expect(minting).rejects.toMatchObject({ code });
    expect((await minting).tierCode).toBe(tierCode);
    expect(await harness.events(eventTypes.subscriptionChanged, owner.projectId)).toMatchObject([
      { customerId: id, tierCode, subscriptionStatus: 'active' },
    ]);
  });

  it('rejects another tier than the customer’s, and accepts the same tier or none', async () => {
    const owner = await project();
    const { id } = await createCustomer(owner);
    await prepare(owner, id, 'free');
    await expect(prepare(owner, id, 'paygo')).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await prepare(owner, id, 'free')).tierCode).toBe('free');
    expect((await prepare(owner, id)).tierCode).toBe('free');
  });

  it('creates one subscription for concurrent tokens of different tiers', async () => {
    const owner = await project();
    const other = await harness.replica();
    const { id } = await createCustomer(owner);
    const wishes = ['free', 'paygo', 'free', 'paygo', 'free', 'paygo'];
    const answers = await Promise.allSettled(
      wishes.map((tier, i) => prepare(owner, id, tier, i % 2 ? other : billing)),
    );
    const got = answers.flatMap((a) => (a.status === 'fulfilled' ? [a.value.tierCode] : []));
    expect(got).toHaveLength(3);
    expect(new Set(got).size).toBe(1);
    expect(await harness.events(eventTypes.subscriptionChanged, owner.projectId)).toHaveLength(1);
  });

  it('grants the promo credit once per project and external id', async () => {
    const owner = await project({ promoCreditsCents: 250n });
    const externalId = randomUUID();
    const balance = async (customerId: string) =>
      (await billing.getCustomerBalance({ customerId }, callAs(owner))).balanceMicrocents;
    const first = await createCustomer(owner, 'a@b.cd', externalId);
    await Promise.all([1, 2, 3].map(() => prepare(owner, first.id, 'paygo')));
    await prepare(owner, first.id);
    expect(await balance(first.id)).toBe(250_000_000n);
    await billing.deleteCustomer({ id: first.id }, callAs(owner));
    const again = await createCustomer(owner, 'a@b.cd', externalId);
    await prepare(owner, again.id, 'paygo');
    expect(await balance(again.id)).toBe(0n);
    expect(await billing.verifyLedger({}, callAs(owner))).toMatchObject({ differences: [] });
  });

  it('grants the promo credit to a customer that the owner subscribed', async () => {
    const owner = await project({ promoCreditsCents: 100n });
    const { id } = await createCustomer(owner);
    await billing.setSubscription({ customerId: id, tierCode: 'free' }, callAs(owner));
    await expect(billing.getCustomerBalance({ customerId: id }, callAs(owner))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    await prepare(owner, id);
    const { balanceMicrocents } = await billing.getCustomerBalance({ customerId: id }, callAs(owner));
    expect(balanceMicrocents).toBe(100_000_000n);
  });

  it('creates no subscription in a project that bills outside of Tollgate', async () => {
    const owner = await project();
    const byob = ownerPrincipal({ ...owner, byob: true });
    const { id } = await createCustomer(owner);
    expect(await prepare(byob, id, 'free')).toMatchObject({ tierCode: '', billingProfileId: id });
    const { envelope } = await billing.getCustomer({ by: { case: 'id', value: id } }, callAs(owner));
    expect(envelope?.subscription).toBeUndefined();
    await fundOwner(billing, owner, 1_000_000n);
    const customer = ownerPrincipal({ ...byob, customerId: id });
    const req = { holdId: randomUUID(), model: ECHO, inputTokensEstimate: 10n, maxOutputTokens: 10 };
    const { decision } = await billing.admit(req, callAs(customer));
    expect(decision).toMatchObject({ case: 'admitted', value: { tierCode: '' } });
    expect(decision.case === 'admitted' && decision.value.customerPrice).toBeUndefined();
  });
});

describe('setting a subscription', () => {
  const DAY_MS = 86_400_000;
  const external = {
    tierCode: 'ext',
    displayName: 'External',
    models: [{ modelId: ECHO }],
    billingProvider: 'external',
    priceAmountCents: 900n,
    spendLimitCents: 1n,
  };

  async function setUp(tier: object = external) {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000_000n);
    await billing.createTier({ ...external, ...tier }, callAs(owner));
    const { id } = await createCustomer(owner);
    const set = async (values: object = {}) =>
      (await billing.setSubscription({ customerId: id, tierCode: 'ext', ...values }, callAs(owner))).subscription;
    return { owner, id, set };
  }

  it('stores the owner’s ids and period, emits an event, and admits the customer', async () => {
    const { owner, id, set } = await setUp();
    const startMs = Date.UTC(2026, 0, 1);
    const subscription = await set({
      billingCustomerId: 'c-1',
      billingSubscriptionId: 's-1',
      currentPeriodStart: timestampFromMs(startMs),
      currentPeriodEnd: timestampFromMs(startMs + 30 * DAY_MS),
    });
    const facts = { billingProvider: 'external', billingCustomerId: 'c-1', billingSubscriptionId: 's-1' };
    expect(subscription).toMatchObject({ tierCode: 'ext', subscriptionStatus: 'active', ...facts });
    expect(await harness.events(eventTypes.subscriptionChanged, owner.projectId)).toMatchObject([
      { customerId: id, tierCode: 'ext', ...facts, currentPeriodStart: timestampFromMs(startMs) },
    ]);
    const admit = () =>
      billing.admit(
        { holdId: randomUUID(), model: ECHO, inputTokensEstimate: 10n, maxOutputTokens: 10 },
        callAs(ownerPrincipal({ ...owner, customerId: id })),
      );
    expect((await admit()).decision.case).toBe('admitted');
    await set({ subscriptionStatus: 'unpaid' });
    expect((await admit()).decision).toMatchObject({ case: 'refused', value: { code: 'SUBSCRIPTION_INACTIVE' } });
  });

  it('keeps the current period when repeated, so that no new allowance opens', async () => {
    const { set } = await setUp();
    const first = await set({
      currentPeriodStart: timestampFromMs(Date.now() - 10 * DAY_MS),
      currentPeriodEnd: timestampFromMs(Date.now() + 20 * DAY_MS),
    });
    expect((await set())?.currentPeriodStart).toEqual(first?.currentPeriodStart);
  });

  it.each([
    ['an unknown status', {}, { subscriptionStatus: 'fine' }, 'INVALID_INPUT'],
    ['the card processor as provider', {}, { billingProvider: 'stripe' }, 'INVALID_INPUT'],
    ['half a period', {}, { currentPeriodEnd: timestampFromMs(1) }, 'INVALID_INPUT'],
    [
      'a period that ends before it starts',
      {},
      { currentPeriodStart: timestampFromMs(2), currentPeriodEnd: timestampFromMs(1) },
      'INVALID_INPUT',
    ],
    ['a tier that is bought by card', { billingProvider: 'stripe' }, {}, 'CONFLICT'],
    ['an unknown tier', {}, { tierCode: 'nobody' }, 'NOT_FOUND'],
  ])('rejects %s', async (_, tier, values, code) => {
    const { set } = await setUp(tier);
    await expect(set(values)).rejects.toMatchObject({ code });
  });

  it('rejects a customer that the card processor bills until that subscription ends', async () => {
    const { id, set } = await setUp();
    await set();
    const sql = `UPDATE subscriptions SET billing_provider = 'stripe', billing_subscription_id = 'sub_1', subscription_status = $2
      WHERE customer_id = $1`;
    await harness.database.pool.query(sql, [id, 'past_due']);
    await expect(set()).rejects.toMatchObject({ code: 'CONFLICT' });
    await harness.database.pool.query(sql, [id, 'canceled']);
    expect(await set()).toMatchObject({ billingProvider: 'external', subscriptionStatus: 'active' });
  });
});

describe('the usage of a customer', () => {
  it('has wallet fields only if the customer has a wallet', async () => {
    const owner = ownerPrincipal();
    const usageOn = async (tier: Parameters<typeof customerOn>[2]) => {
      const { id } = await customerOn(billing, owner, tier);
      return billing.getCustomerUsage({ customerId: id }, callAs(owner));
    };
    expect(await usageOn({ tierCode: 'free' })).not.toHaveProperty('walletBalanceMicrocents');
    expect(await usageOn({ tierCode: 'plus', spendLimitCents: 1n, overageEnabled: true })).toMatchObject({
      walletBalanceMicrocents: 0n,
      overageEnabled: true,
      spendLimitCents: 1n,
    });
    const paygo = await usageOn({ tierCode: 'paygo', billingMode: 'paygo' });
    expect(paygo).toMatchObject({
      walletBalanceMicrocents: 0n,
      walletReservedMicrocents: 0n,
      overageEnabled: false,
    });
    expect(paygo).not.toHaveProperty('spendLimitCents');
  });
});
