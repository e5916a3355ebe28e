import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountLimitKind } from '@tollgate/contracts/billing/v1/account_limits_pb.js';
import { type AdmitResponse, BillingService, MeteredKind } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { eventTypes } from '@tollgate/events';
import { type Clock, createLogger, systemClock } from '@tollgate/runtime';
import {
  type BillingClient,
  callAs,
  customerOn,
  ECHO,
  fundOwner,
  fundWallet,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from '../../testing/ledger-harness.js';

/** Noon of the current day; tests advance it. */
const DAY_MS = 86_400_000;
let today = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
const clock: Clock = { ...systemClock, nowMs: () => today, now: () => new Date(today) };

let harness: LedgerHarness;
const logged: Record<string, unknown>[] = [];
let billing: BillingClient;

beforeAll(async () => {
  const logger = createLogger('billing-ledger', 'warn', { write: (line) => void logged.push(JSON.parse(line)) });
  harness = await startLedgerHarness('limits', { clock, logger });
  billing = harness.billing;
});
afterAll(() => harness.stop());

/** 10 tokens in at 100 and at most 90 out at 300, for the customer and, at catalog price, the owner. */
const REQUEST = { model: ECHO, inputTokensEstimate: 10n, maxOutputTokens: 90 };
const HELD = 10n * 100n + 90n * 300n;
const PLENTY = 10_000_000_000n;
const CENT = 1_000_000n;
const IMAGE = 'sandbox/image-1';
const PROVIDER_UNFUNDED = 'PROVIDER_ACCOUNT_UNFUNDED';

async function admit(principal: Principal, values: object = {}, client = billing) {
  const holdId = randomUUID();
  const { decision } = await client.admit({ ...REQUEST, holdId, ...values }, callAs(principal));
  return { holdId, decision };
}

async function settle(principal: Principal, holdId: string, values: object = { inputTokens: 10n, outputTokens: 90n }) {
  await billing.settle({ holdId, usage: values }, callAs(principal));
}

async function limit(owner: Principal, kind: AccountLimitKind, amount?: bigint) {
  const value = amount === undefined ? undefined : { case: 'amount' as const, value: amount };
  await harness.accountLimits.setAccountLimit({ kind, ...(value && { value }) }, callAs(owner));
}

const toCode = ({ decision }: { decision: AdmitResponse['decision'] }) =>
  decision.case === 'refused' ? decision.value.code : decision.case;

async function expectConsistent(owner: Principal, openHolds = 0n) {
  expect(await billing.verifyLedger({}, callAs(owner))).toMatchObject({ differences: [], openHolds });
}

/** Sets up one limit that does not cover a request, for a funded owner. */
const exhausted: Record<string, (owner: Principal) => Promise<Principal>> = {
  SUBSCRIPTION_INACTIVE: async (owner) => {
    const { id, principal } = await customerOn(billing, owner, { tierCode: 'free' });
    await billing.setSubscription({ customerId: id, tierCode: 'free', subscriptionStatus: 'unpaid' }, callAs(owner));
    return principal;
  },
  TIER_ALLOWANCE_EXHAUSTED: async (owner) => {
    return (await customerOn(billing, owner, { tierCode: 'none', spendLimitCents: 0n })).principal;
  },
  WALLET_EMPTY: async (owner) => {
    return (await customerOn(billing, owner, { tierCode: 'paygo', billingMode: 'paygo' })).principal;
  },
  API_KEY_SPEND_LIMIT_REACHED: async (owner) => ownerPrincipal({ ...owner, keySpendLimitMicrocents: HELD - 1n }),
  PROVIDER_ACCOUNT_UNFUNDED: async (owner) => ownerPrincipal({ ...owner, accountId: randomUUID() }),
  FREE_CREDIT_DAILY_CAP: async (owner) => {
    const granted = ownerPrincipal({ ...owner, accountId: randomUUID() });
    await fundOwner(billing, granted, PLENTY, 'promo');
    await limit(granted, AccountLimitKind.FREE_CREDIT_DAILY_CAP, 0n);
    return granted;
  },
  ACCOUNT_QUOTA_EXCEEDED: async (owner) => {
    await limit(owner, AccountLimitKind.QUOTA, 0n);
    return owner;
  },
};

describe('a limit that does not cover the request', () => {
  it.each(Object.entries(exhausted))('refuses with %s and holds nothing', async (code, exhaust) => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, PLENTY);
    const principal = await exhaust(owner);
    expect(toCode(await admit(principal))).toBe(code);
    await expectConsistent(owner);
  });

  it('names the limit in the order subscription, allowance, wallet, key, balance, daily cap, quota', async () => {
    const owner = ownerPrincipal({ keySpendLimitMicrocents: 0n });
    const { FREE_CREDIT_DAILY_CAP, QUOTA } = AccountLimitKind;
    await limit(owner, FREE_CREDIT_DAILY_CAP, 0n);
    await limit(owner, QUOTA, 0n);
    const { id } = await customerOn(billing, owner, { tierCode: 'none', spendLimitCents: 0n });
    const { id: prepaid } = await customerOn(billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
    const asCustomer = (customerId: string, limit: bigint) =>
      ownerPrincipal({ ...owner, customerId, keyId: randomUUID(), keySpendLimitMicrocents: limit });
    const set = (subscriptionStatus: string) =>
      billing.setSubscription({ customerId: id, tierCode: 'none', subscriptionStatus }, callAs(owner));
    await set('paused');
    expect(toCode(await admit(asCustomer(id, 0n)))).toBe('SUBSCRIPTION_INACTIVE');
    await set('active');
    expect(toCode(await admit(asCustomer(id, 0n)))).toBe('TIER_ALLOWANCE_EXHAUSTED');
    expect(toCode(await admit(asCustomer(prepaid, 0n)))).toBe('WALLET_EMPTY');
    await fundWallet(billing, owner, prepaid, HELD);
    expect(toCode(await admit(asCustomer(prepaid, 0n)))).toBe('API_KEY_SPEND_LIMIT_REACHED');
    expect(toCode(await admit(asCustomer(prepaid, HELD)))).toBe('PROVIDER_ACCOUNT_UNFUNDED');
    await fundOwner(billing, owner, PLENTY, 'promo');
    expect(toCode(await admit(asCustomer(prepaid, HELD)))).toBe('FREE_CREDIT_DAILY_CAP');
    await limit(owner, FREE_CREDIT_DAILY_CAP, 100n);
    expect(toCode(await admit(asCustomer(prepaid, HELD)))).toBe('ACCOUNT_QUOTA_EXCEEDED');
    await limit(owner, QUOTA, 1n);
    expect(toCode(await admit(asCustomer(prepaid, HELD)))).toBe('admitted');
    await expectConsistent(owner, 1n);
  });
});

describe('the daily cap on granted credit', () => {
  async function onGrantedCredit(capMicrocents: bigint) {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, PLENTY, 'promo');
    await limit(owner, AccountLimitKind.FREE_CREDIT_DAILY_CAP, capMicrocents / CENT);
    return owner;
  }
  /** Costs one cent. */
  const CENT_REQUEST = { inputTokensEstimate: 10_000n, maxOutputTokens: 0 };

  it('admits exactly the concurrent requests that it covers, on two replicas', async () => {
    const owner = await onGrantedCredit(7n * CENT);
    const other = await harness.replica();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => admit(owner, CENT_REQUEST, i % 2 ? other : billing)),
    );
    expect(answers.filter((a) => toCode(a) === 'admitted')).toHaveLength(7);
    expect(new Set(answers.map(toCode))).toEqual(new Set(['admitted', 'FREE_CREDIT_DAILY_CAP']));
    await expectConsistent(owner, 7n);
  });

  it('counts spent funds and is reset daily (UTC)', async () => {
    const owner = await onGrantedCredit(CENT);
    const first = await admit(owner, CENT_REQUEST);
    await settle(owner, first.holdId, { inputTokens: 4_000n });
    expect(toCode(await admit(owner, CENT_REQUEST))).toBe('FREE_CREDIT_DAILY_CAP');
    expect(toCode(await admit(owner, { inputTokensEstimate: 6_000n, maxOutputTokens: 0 }))).toBe('admitted');
    today += DAY_MS;
    expect(toCode(await admit(owner, CENT_REQUEST))).toBe('admitted');
    await expectConsistent(owner, 2n);
  });

  it('ends the cap on a paid top-up, and not on granted credit', async () => {
    const owner = await onGrantedCredit(0n);
    await fundOwner(billing, owner, PLENTY, 'promo');
    expect(toCode(await admit(owner))).toBe('FREE_CREDIT_DAILY_CAP');
    await fundOwner(billing, owner, 1n, 'top_up');
    expect(toCode(await admit(owner))).toBe('admitted');
  });

  it('applies as configured, as does the quota, unless the account has overrides', async () => {
    const env = { FREE_CREDIT_DAILY_CAP_CENTS: '0', ACCOUNT_QUOTA_UNITS: '1' };
    const configured = (await harness.replicaNetwork(env)).client(BillingService);
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, PLENTY, 'promo');
    expect(toCode(await admit(owner, {}, configured))).toBe('FREE_CREDIT_DAILY_CAP');
    const other = ownerPrincipal({ ...owner, keyId: randomUUID() });
    const kind = AccountLimitKind.FREE_CREDIT_DAILY_CAP;
    await harness.accountLimits.setAccountLimit({ kind, value: { case: 'unlimited', value: true } }, callAs(owner));
    expect(toCode(await admit(other, {}, configured))).toBe('admitted');
    expect(toCode(await admit(other, {}, configured))).toBe('ACCOUNT_QUOTA_EXCEEDED');
    await harness.accountLimits.setAccountLimit({ kind }, callAs(owner));
    const third = ownerPrincipal({ ...owner, keyId: randomUUID() });
    expect(toCode(await admit(third, {}, configured))).toBe('FREE_CREDIT_DAILY_CAP');
  });
});

describe('the quota of an account', () => {
  it('counts each served and each open request once, and no extensions', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, PLENTY);
    await limit(owner, AccountLimitKind.QUOTA, 2n);
    const [first, second] = [await admit(owner), await admit(owner)];
    expect(toCode(await admit(owner))).toBe('ACCOUNT_QUOTA_EXCEEDED');
    const req = { holdId: first.holdId, extension: 1, inputTokensEstimate: 5n, maxOutputTokens: 5 };
    expect((await harness.holds.extendHold(req, callAs(owner))).decision.case).toBe('admitted');
    await settle(owner, first.holdId);
    await settle(owner, second.holdId, {});
    expect(toCode(await admit(owner))).toBe('admitted');
    expect(toCode(await admit(owner))).toBe('ACCOUNT_QUOTA_EXCEEDED');
    await expectConsistent(owner, 1n);
  });

  it('resets the quota monthly', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, PLENTY);
    await limit(owner, AccountLimitKind.QUOTA, 1n);
    expect(toCode(await admit(owner))).toBe('admitted');
    expect(toCode(await admit(owner))).toBe('ACCOUNT_QUOTA_EXCEEDED');
    today += 31 * DAY_MS;
    expect(toCode(await admit(owner))).toBe('admitted');
  });
});

describe('images', () => {
  const images = (count: number, model = IMAGE) => ({
    kind: MeteredKind.IMAGES,
    model,
    images: count,
    inputTokensEstimate: 0n,
    maxOutputTokens: undefined,
  });

  async function imageCustomer(pricePerImageCents?: bigint) {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, PLENTY);
    const model = { modelId: IMAGE, ...(pricePerImageCents !== undefined && { pricePerImageCents }) };
    await billing.createTier(
      { tierCode: 'paygo', displayName: 'Paygo', billingMode: 'paygo', models: [model] },
      callAs(owner),
    );
    const customer = await customerOn(billing, owner, { tierCode: 'paygo' });
    return { owner, ...customer };
  }

  it.each([
    ['the tier`s price', 9n, 9n],
    ['the catalog`s price without one', undefined, 4n],
  ])('charges %s for each image, and only for created images', async (_, tierPrice, cents) => {
    const { owner, id, principal } = await imageCustomer(tierPrice);
    await fundWallet(billing, owner, id, 3n * cents * CENT);
    expect(toCode(await admit(principal, images(4)))).toBe('WALLET_EMPTY');
    const { holdId, decision } = await admit(principal, images(3));
    expect(decision.case).toBe('admitted');
    await settle(principal, holdId, { images: 2 });
    const { balanceMicrocents } = await billing.getCustomerBalance({ customerId: id }, callAs(owner));
    expect(balanceMicrocents).toBe(cents * CENT);
    await expectConsistent(owner);
  });

  it.each([
    ['a model without a price per image', images(1, ECHO), ECHO],
    ['a model for images asked for text', { model: IMAGE }, IMAGE],
    ['no image at all', images(0), 'image'],
  ])('refuses %s with a message that names it', async (_, values, named) => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, PLENTY);
    const { decision } = await admit(owner, values);
    expect(decision).toMatchObject({ case: 'refused', value: { code: 'INVALID_INPUT' } });
    expect(decision.case === 'refused' && decision.value.message).toContain(named);
  });
});

describe('account.admission_blocked', () => {
  const blockedEvents = (owner: Principal) => harness.events(eventTypes.admissionBlocked, owner.projectId);

  it('reports the shortfall of the free prepaid balance once in 15 minutes', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, HELD + 1_000n);
    await admit(owner);
    await Promise.all(Array.from({ length: 5 }, () => admit(owner)));
    await admit(owner);
    expect(await blockedEvents(owner)).toMatchObject([
      {
        accountId: owner.accountId,
        projectId: owner.projectId,
        refusalCode: 'PROVIDER_ACCOUNT_UNFUNDED',
        requiredMicrocents: HELD,
        availableMicrocents: 1_000n,
        shortfallMicrocents: HELD - 1_000n,
      },
    ]);
    const sql = `UPDATE admission_blocks SET told_at = told_at - interval '15 minutes' WHERE project_id = $1`;
    await harness.database.pool.query(sql, [owner.projectId]);
    await admit(owner);
    expect(await blockedEvents(owner)).toHaveLength(2);
  });

  it('logs the true code once per event, for the operator who sees 503 only', async () => {
    const owner = ownerPrincipal();
    const findLines = () => logged.filter(({ project_id }) => project_id === owner.projectId);
    await admit(owner);
    await admit(owner);
    expect(findLines()).toMatchObject([
      {
        level: 'warn',
        msg: 'admission refused by a limit of the owner account',
        owner_account_id: owner.accountId,
        code: 'PROVIDER_ACCOUNT_UNFUNDED',
        request_id: expect.any(String),
      },
    ]);
  });

  it('reports the projected spend of the day and the cap', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, PLENTY, 'promo');
    await limit(owner, AccountLimitKind.FREE_CREDIT_DAILY_CAP, 1n);
    const first = await admit(owner, { inputTokensEstimate: 6_000n, maxOutputTokens: 0 });
    await settle(owner, first.holdId, { inputTokens: 5_000n });
    await admit(owner, { inputTokensEstimate: 1_000n, maxOutputTokens: 0 });
    expect(toCode(await admit(owner, { inputTokensEstimate: 7_000n, maxOutputTokens: 0 }))).toBe(
      'FREE_CREDIT_DAILY_CAP',
    );
    expect(await blockedEvents(owner)).toMatchObject([
      {
        refusalCode: 'FREE_CREDIT_DAILY_CAP',
        requiredMicrocents: 1_300_000n,
        availableMicrocents: 1_000_000n,
        shortfallMicrocents: 300_000n,
      },
    ]);
  });

  it('emits no event for limits of customers, keys or quotas', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, PLENTY);
    for (const code of ['TIER_ALLOWANCE_EXHAUSTED', 'WALLET_EMPTY', 'API_KEY_SPEND_LIMIT_REACHED'])
      await admit((await exhausted[code]?.(owner)) as Principal);
    await admit((await exhausted.ACCOUNT_QUOTA_EXCEEDED?.(owner)) as Principal);
    expect(await blockedEvents(owner)).toEqual([]);
  });

  it('emits no event for a refusal after which the caller asks again, and one when that is refused too', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, HELD);
    await admit(owner);
    expect((await admit(owner, { isTentative: true })).decision.case).toBe('refused');
    expect(await blockedEvents(owner)).toEqual([]);
    expect((await admit(owner)).decision.case).toBe('refused');
    expect(await blockedEvents(owner)).toHaveLength(1);
  });

  it('emits the event even for a later model call of a turn', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, HELD);
    const { holdId } = await admit(owner);
    const req = { holdId, extension: 1, inputTokensEstimate: 5n, maxOutputTokens: 5 };
    expect((await harness.holds.extendHold(req, callAs(owner))).decision.case).toBe('refused');
    expect(await blockedEvents(owner)).toMatchObject([
      { refusalCode: 'PROVIDER_ACCOUNT_UNFUNDED', availableMicrocents: 0n },
    ]);
  });
});

describe('a loose estimate', () => {
  const loose = { estimateIsLoose: true, inputTokensEstimate: 1_000n, maxOutputTokens: undefined };
  const counted = { inputTokensEstimate: 10n, maxOutputTokens: undefined };
  const blockedEvents = (owner: Principal) => harness.events(eventTypes.admissionBlocked, owner.projectId);

  it('admits a loose estimate in full if it fits', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, PLENTY);
    expect((await admit(owner, loose)).decision).toMatchObject({ case: 'admitted', value: { maxOutputTokens: 8_192 } });
  });

  it('refuses a loose estimate that may fit when counted, without an event, and admits the exact count', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 10n * 100n + 1_000n * 300n);
    expect((await admit(owner, loose)).decision).toMatchObject({ case: 'refused', value: { mayFitCounted: true } });
    expect(await blockedEvents(owner)).toEqual([]);
    expect((await admit(owner, counted)).decision).toMatchObject({
      case: 'admitted',
      value: { maxOutputTokens: 1_000 },
    });
    await expectConsistent(owner, 1n);
  });

  it.each([
    ['nothing is left', PROVIDER_UNFUNDED, async () => undefined],
    [
      'requests are counted, not tokens',
      'ACCOUNT_QUOTA_EXCEEDED',
      async (owner: Principal) => {
        await fundOwner(billing, owner, PLENTY);
        await limit(owner, AccountLimitKind.QUOTA, 0n);
      },
    ],
  ])('refuses a loose estimate permanently if %s', async (_, code, prepare) => {
    const owner = ownerPrincipal();
    await prepare(owner);
    const { decision } = await admit(owner, loose);
    expect(decision).toMatchObject({ case: 'refused', value: { code, mayFitCounted: false } });
    expect(await blockedEvents(owner)).toHaveLength(code === PROVIDER_UNFUNDED ? 1 : 0);
  });
});
