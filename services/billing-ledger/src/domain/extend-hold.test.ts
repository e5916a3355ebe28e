import { describe, expect, it } from '@jest/globals';
import { type ExtensionInput, extendHold } from './extend-hold.js';
import { type Hold, type HoldLeg, heldUnits } from './hold.js';
import type { ModelBounds } from './price.js';

const PRICE = { inputPerMillionCents: 1n, outputPerMillionCents: 2n, perImageCents: 0n };
const ALLOWANCE = 1n;
const WALLET = 2n;
const OWNER = 3n;

function held(legs: HoldLeg[], values: Partial<Hold['terms']> = {}): Hold {
  return {
    holdId: 'r',
    ownerAccountId: 'o',
    revision: 0,
    legs,
    terms: {
      requestId: 'r',
      projectId: 'p',
      customerId: 'c',
      customerExternalId: 'e',
      keyId: undefined,
      tierId: 't',
      tierCode: 'free',
      modelId: 'm',
      customerPrice: PRICE,
      providerPrice: PRICE,
      windowStartMs: 0,
      inputTokensEstimate: 10,
      maxOutputTokens: 20,
      images: 0,
      ...values,
    },
  };
}

function further(values: Partial<ExtensionInput> = {}): ExtensionInput {
  return {
    extension: 1,
    inputTokensEstimate: 40,
    maxOutputTokens: 30,
    findBounds: () => bounds(1_000),
    ...values,
  };
}

const leg = (role: HoldLeg['role'], account: bigint, amount: bigint): HoldLeg => ({ role, account, amount });
const basic = () => held([leg('allowance', ALLOWANCE, 50n), leg('owner', OWNER, 50n)]);

function extended(hold: Hold, input: ExtensionInput, free: Record<string, bigint>) {
  const result = extendHold(hold, input, (account) => free[String(account)]);
  if (result.kind !== 'extended') throw new Error(result.code);
  return result;
}

describe('an extension', () => {
  it('adds the later call to every limit and increments the revision', () => {
    const { hold, added } = extended(basic(), further(), { 1: 1_000n, 3: 1_000n });
    expect(added.map(({ amount }) => amount)).toEqual([100n, 100n]);
    expect(hold.legs.map(({ amount }) => amount)).toEqual([150n, 150n]);
    expect(hold.revision).toBe(1);
    expect(heldUnits(hold.terms)).toMatchObject({ inputTokens: 50n, outputTokens: 50n, images: 0n });
  });

  it('adds nothing when its number is repeated', () => {
    const { hold } = extended(basic(), further(), { 1: 1_000n, 3: 1_000n });
    const again = extended(hold, further({ inputTokensEstimate: 9_999 }), {});
    expect(again).toEqual({ kind: 'extended', hold, added: [] });
  });

  it.each([
    ['allowance', { 1: 99n, 3: 1_000n }, 'TIER_ALLOWANCE_EXHAUSTED'],
    ['owner', { 1: 1_000n, 3: 99n }, 'PROVIDER_ACCOUNT_UNFUNDED'],
  ])('refuses an extension when only the %s lacks the funds', (_, free, code) => {
    const result = extendHold(basic(), further(), (account) => (free as Record<string, bigint>)[String(account)]);
    expect(result).toMatchObject({ kind: 'refused', code });
  });

  it('refuses a call that is larger than any request may be, with any funds', () => {
    expect(extendHold(basic(), further({ inputTokensEstimate: Number.MAX_SAFE_INTEGER }), () => undefined)).toEqual({
      kind: 'refused',
      code: 'INVALID_INPUT',
      message: expect.stringContaining('maximum size'),
    });
  });

  it('uses a limit that the admission did not need', () => {
    const hold = held([leg('allowance', ALLOWANCE, 50n), leg('owner', OWNER, 50n)], { spare: { wallet: '2' } });
    const { hold: after } = extended(hold, further(), { 1: 30n, 2: 70n, 3: 1_000n });
    expect(after.legs).toEqual([
      leg('allowance', ALLOWANCE, 80n),
      leg('owner', OWNER, 150n),
      leg('wallet', WALLET, 70n),
    ]);
    expect(after.terms.spare).toBeUndefined();
  });

  it.each([
    ['cut to the funds without a named maximum', undefined, 340n, 150n],
    ['bounded by the model', 5_000, undefined, 1_000n],
  ])('limits the output of an extension: %s', (_, maxOutputTokens, funds, outputTokens) => {
    const free: Record<string, bigint> = funds === undefined ? {} : { 1: funds, 3: 10_000n };
    const input = further({ maxOutputTokens, findBounds: () => bounds(funds === undefined ? 1_000 : 150) });
    const { hold } = extended(basic(), input, free);
    expect(hold.terms.extensions?.[1]?.outputTokens).toBe(Number(outputTokens));
  });

  it('holds the fees of the call besides its tokens, and stores only fees that there are', () => {
    const input = further({ findBounds: () => ({ ...bounds(1_000), toFeeMicrocents: () => 7n }) });
    const { hold, added } = extended(basic(), input, { 1: 1_000n, 3: 1_000n });
    expect(added.map(({ amount }) => amount)).toEqual([107n, 107n]);
    expect(hold.terms.extensions?.[1]).toMatchObject({ feeMicrocents: '7' });
    const without = extended(basic(), further(), { 1: 1_000n, 3: 1_000n }).hold;
    expect(without.terms.extensions?.[1]).not.toHaveProperty('feeMicrocents');
  });

  it.each([
    ['no bound', undefined, undefined, undefined],
    ['the first bound', [3n, 3n], undefined, [3n, 3n]],
    ['the later bound', undefined, [3n, 3n], [3n, 3n]],
    ['the larger of each price', [3n, 9n], [8n, 4n], [8n, 9n]],
    ['the larger of each price', [8n, 4n], [3n, 9n], [8n, 9n]],
  ] as const)('bounds the hold by the dearest of its calls: %s', (_, before, later, after) => {
    const hold = held([...basic().legs], { providerPrice: { ...PRICE, bound: toBound(before) } });
    const input = further({ findBounds: () => ({ ...bounds(1_000), toPriceBound: () => toBound(later) }) });
    expect(extended(hold, input, {}).hold.terms.providerPrice.bound).toEqual(toBound(after));
  });

  it('permits no count of its tokens, which are known', () => {
    expect(extendHold(basic(), further(), () => 1n)).toMatchObject({ kind: 'refused', mayFitCounted: false });
  });

  it('holds nothing of the customer of a superseded attempt', () => {
    const hold = held([leg('owner', OWNER, 50n)], { customerPrice: undefined });
    expect(extended(hold, further(), { 3: 1_000n }).added).toEqual([leg('owner', OWNER, 100n)]);
  });
});

function bounds(max: number): ModelBounds {
  return { outputBounds: { max, usual: 8_192 }, toFeeMicrocents: () => 0n, toPriceBound: () => undefined };
}

function toBound(prices: readonly [bigint, bigint] | undefined) {
  return prices && { inputPerMillionCents: prices[0], outputPerMillionCents: prices[1] };
}
