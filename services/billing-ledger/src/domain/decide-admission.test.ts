import { describe, expect, it } from '@jest/globals';
import { type Availability, decideAdmission, toBlockInfo } from './decide-admission.js';
import { type AdmissionPlan, optimisticLegs, type Payer, type Refused } from './plan-admission.js';
import type { LimitAccount, LimitRole } from './subject.js';

const providerPrice = { inputPerMillionCents: 2n, outputPerMillionCents: 5n, perImageCents: 0n };
const customerPrice = { inputPerMillionCents: 3n, outputPerMillionCents: 10n, perImageCents: 0n };
const ACCOUNTS: Record<LimitRole, bigint> = { allowance: 1n, wallet: 2n, owner: 3n, key: 4n, daily_cap: 5n, quota: 6n };

const limit = (role: LimitRole): LimitAccount => ({ role, account: ACCOUNTS[role] });
const customer: Payer = { limits: [limit('allowance'), limit('wallet')], price: customerPrice };
const owner: Payer = { limits: [limit('owner')], price: providerPrice };
const quota: Payer = { limits: [limit('quota')], units: 7n };

/** 10 tokens of input; 20 of output wanted, at least 5. The customer pays 230 for all and 80 at least, the owner 120 and 45. */
function createPlan(payers: Payer[], change: Partial<AdmissionPlan> = {}): AdmissionPlan {
  return {
    modelId: 'm',
    customerPrice,
    providerPrice,
    inputTokens: 10n,
    images: 0n,
    feeMicrocents: 0n,
    isEstimateLoose: false,
    outputTokensWanted: 20n,
    outputTokensMin: 5n,
    payers,
    ...change,
  };
}

const withFunds =
  (funds: Partial<Record<LimitRole, bigint>>): Availability =>
  (account) =>
    funds[(Object.keys(ACCOUNTS) as LimitRole[]).find((role) => ACCOUNTS[role] === account) as LimitRole];

const leg = (role: LimitRole, amount: bigint) => ({ ...limit(role), amount });

describe('decideAdmission', () => {
  it('holds the wanted output of every payer when all have enough', () => {
    const available = withFunds({ allowance: 230n, wallet: 0n, owner: 120n, quota: 7n });
    expect(decideAdmission(createPlan([customer, owner, quota]), available)).toEqual({
      kind: 'admitted',
      outputTokens: 20n,
      legs: [leg('allowance', 230n), leg('owner', 120n), leg('quota', 7n)],
    });
  });

  it('holds the wanted output when a limit has no bound', () => {
    expect(decideAdmission(createPlan([customer, owner]), withFunds({ allowance: 10n, owner: 120n }))).toEqual({
      kind: 'admitted',
      outputTokens: 20n,
      legs: [leg('allowance', 10n), leg('wallet', 220n), leg('owner', 120n)],
    });
  });

  it('uses up the allowance before the wallet, and ignores a limit that is overdrawn', () => {
    const both = decideAdmission(createPlan([customer]), withFunds({ allowance: 100n, wallet: 1_000n }));
    expect(both).toMatchObject({ legs: [leg('allowance', 100n), leg('wallet', 130n)] });
    const overdrawn = decideAdmission(createPlan([customer]), withFunds({ allowance: -50n, wallet: 230n }));
    expect(overdrawn).toMatchObject({ kind: 'admitted', outputTokens: 20n, legs: [leg('wallet', 230n)] });
    const empty = decideAdmission(createPlan([customer]), withFunds({ allowance: 0n, wallet: 230n }));
    expect(empty).toMatchObject({ kind: 'admitted', legs: [leg('wallet', 230n)] });
  });

  it('cuts the output to what the poorest payer covers, for all payers', () => {
    const plan = createPlan([customer, owner]);
    expect(decideAdmission(plan, withFunds({ allowance: 139n, wallet: 0n, owner: 1_000n }))).toEqual({
      kind: 'admitted',
      outputTokens: 10n,
      legs: [leg('allowance', 130n), leg('owner', 70n)],
    });
    expect(decideAdmission(plan, withFunds({ allowance: 139n, wallet: 0n, owner: 45n }))).toMatchObject({
      outputTokens: 5n,
      legs: [leg('allowance', 80n), leg('owner', 45n)],
    });
    expect(decideAdmission(plan, withFunds({ allowance: 139n, wallet: 0n, owner: 119n }))).toMatchObject({
      outputTokens: 10n,
    });
  });

  it('admits the least output, and refuses one microcent less', () => {
    expect(decideAdmission(createPlan([owner]), withFunds({ owner: 45n }))).toMatchObject({ outputTokens: 5n });
    expect(decideAdmission(createPlan([owner]), withFunds({ owner: 44n }))).toEqual({
      kind: 'refused',
      code: 'PROVIDER_ACCOUNT_UNFUNDED',
      message: expect.stringContaining('prepaid balance'),
      shortage: { ...limit('owner'), required: 45n, available: 44n },
      checked: [{ ...limit('owner'), required: 45n, available: 44n }],
      mayFitCounted: false,
    });
  });

  it('admits input alone when no output has to fit, and refuses when the input does not fit', () => {
    const plan = createPlan([owner], { outputTokensMin: 0n });
    expect(decideAdmission(plan, withFunds({ owner: 20n }))).toMatchObject({
      outputTokens: 0n,
      legs: [leg('owner', 20n)],
    });
    expect(decideAdmission(plan, withFunds({ owner: 19n }))).toMatchObject({ kind: 'refused' });
  });

  it('covers named output in full or refuses it', () => {
    const plan = createPlan([owner], { outputTokensMin: 20n });
    expect(decideAdmission(plan, withFunds({ owner: 120n }))).toMatchObject({ outputTokens: 20n });
    expect(decideAdmission(plan, withFunds({ owner: 119n }))).toMatchObject({ kind: 'refused' });
  });

  it('refuses a request whose units do not fit, without cutting its output', () => {
    expect(decideAdmission(createPlan([quota]), withFunds({ quota: 6n }))).toMatchObject({
      code: 'ACCOUNT_QUOTA_EXCEEDED',
      shortage: { required: 7n, available: 6n },
    });
    const loose = createPlan([quota], { isEstimateLoose: true, outputTokensMin: 0n });
    expect(decideAdmission(loose, withFunds({ quota: 8n }))).toMatchObject({ kind: 'admitted' });
    expect(decideAdmission(loose, withFunds({ quota: 6n }))).toMatchObject({ kind: 'refused', mayFitCounted: false });
  });

  it('names the first payer that is short and every limit up to it', () => {
    const available = withFunds({ allowance: 30n, wallet: -5n, owner: 0n });
    expect(decideAdmission(createPlan([quota, customer, owner]), available)).toMatchObject({
      code: 'TIER_ALLOWANCE_EXHAUSTED',
      shortage: { ...limit('allowance'), required: 80n, available: 30n },
      checked: [
        { ...limit('quota'), required: 7n, available: undefined },
        { ...limit('allowance'), required: 80n, available: 30n },
        { ...limit('wallet'), required: 80n, available: -5n },
      ],
    });
  });

  it('shows how far a single limit is overdrawn', () => {
    expect(decideAdmission(createPlan([owner]), withFunds({ owner: -5n }))).toMatchObject({
      shortage: { available: -5n },
    });
  });

  it('shows what all limits of a payer have left together', () => {
    expect(decideAdmission(createPlan([customer]), withFunds({ allowance: 30n, wallet: 20n }))).toMatchObject({
      shortage: { ...limit('allowance'), required: 80n, available: 50n },
    });
  });

  it.each<[LimitRole, string, string]>([
    ['allowance', 'TIER_ALLOWANCE_EXHAUSTED', 'allowance'],
    ['wallet', 'WALLET_EMPTY', 'top it up'],
    ['key', 'API_KEY_SPEND_LIMIT_REACHED', 'replace the key'],
    ['owner', 'PROVIDER_ACCOUNT_UNFUNDED', 'prepaid balance'],
    ['daily_cap', 'FREE_CREDIT_DAILY_CAP', 'top the account up'],
    ['quota', 'ACCOUNT_QUOTA_EXCEEDED', 'this month'],
  ])('refuses for %s with %s and a way out', (role, code, words) => {
    const payer: Payer = { limits: [limit(role)], price: providerPrice };
    const refusal = { kind: 'refused', code, message: expect.stringContaining(words) };
    expect(decideAdmission(createPlan([payer]), withFunds({ [role]: 0n }))).toMatchObject(refusal);
  });

  it.each([
    [true, 1n, true],
    [true, 0n, false],
    [false, 1n, false],
  ])('permits a count when the estimate is loose (%s) and %d is left: %s', (isEstimateLoose, left, mayFitCounted) => {
    const plan = createPlan([owner], { isEstimateLoose });
    expect(decideAdmission(plan, withFunds({ owner: left }))).toMatchObject({ mayFitCounted });
  });
});

describe('optimisticLegs', () => {
  it('holds the full amount on the first limit of each payer', () => {
    expect(optimisticLegs(createPlan([customer, owner, quota]))).toEqual([
      leg('allowance', 230n),
      leg('owner', 120n),
      leg('quota', 7n),
    ]);
  });

  it('leaves out a payer that pays nothing', () => {
    const free = { inputPerMillionCents: 0n, outputPerMillionCents: 0n, perImageCents: 0n };
    expect(optimisticLegs(createPlan([{ ...customer, price: free }, owner]))).toEqual([leg('owner', 120n)]);
  });
});

const refused = (shortage: object | undefined) => ({ code: 'ANY', shortage }) as unknown as Refused;

it('shows the prepaid balance of an unfunded account', () => {
  expect(toBlockInfo(refused({ role: 'owner', required: 30n, available: 10n }), undefined)).toEqual({
    refusalCode: 'ANY',
    requiredMicrocents: 30n,
    availableMicrocents: 10n,
    shortfallMicrocents: 20n,
  });
});

it('shows the projected spend of the day beside the daily cap', () => {
  expect(toBlockInfo(refused({ role: 'daily_cap', required: 30n, available: 10n }), 100n)).toEqual({
    refusalCode: 'ANY',
    requiredMicrocents: 120n,
    availableMicrocents: 100n,
    shortfallMicrocents: 20n,
  });
});

it.each([undefined, { role: 'wallet', required: 30n, available: 10n }])('returns nothing for %p', (shortage) => {
  expect(toBlockInfo(refused(shortage), 100n)).toBeUndefined();
});
