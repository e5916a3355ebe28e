import { describe, expect, it } from '@jest/globals';
import { applicableLimits, type Hold, holdFromRow, termsToJson, withoutRoles } from './hold.js';

const price = { inputPerMillionCents: 1n, outputPerMillionCents: 2n, perImageCents: 3n };
const extension = { inputTokens: 1, outputTokens: 2, heldMicrocents: '3' };
const hold: Hold = {
  holdId: '7f000000-0000-4000-8000-000000000001',
  ownerAccountId: '7f000000-0000-4000-8000-000000000002',
  revision: 4,
  terms: {
    requestId: 'the-client-knows-it',
    projectId: '7f000000-0000-4000-8000-000000000003',
    customerId: undefined,
    customerExternalId: undefined,
    keyId: undefined,
    tierId: undefined,
    tierCode: undefined,
    modelId: 'vendor/model',
    customerPrice: { ...price, perImageCents: 9_007_199_254_740_993n },
    providerPrice: price,
    windowStartMs: 5,
    inputTokensEstimate: 6,
    maxOutputTokens: 7,
    images: 0,
    spare: { wallet: '12', quota: '14' },
    extensions: { 2: extension },
  },
  legs: [
    { role: 'allowance', account: 11n, amount: 100n },
    { role: 'owner', account: 13n, amount: 200n },
  ],
};

function toRow(changes: (terms: Record<string, unknown>) => void = () => undefined) {
  const terms = JSON.parse(termsToJson(hold.terms, hold.legs)) as Record<string, unknown>;
  changes(terms);
  return {
    request_id: hold.holdId,
    owner_account_id: hold.ownerAccountId,
    revision: hold.revision,
    terms: JSON.stringify(terms),
    account_ids: hold.legs.map((leg) => leg.account),
    amounts: hold.legs.map((leg) => leg.amount),
  };
}

describe('holdFromRow', () => {
  it('returns the hold that was written', () => {
    expect(holdFromRow(toRow())).toEqual(hold);
  });

  it('keeps members that only a newer version knows', () => {
    const row = toRow((terms) =>
      Object.assign(terms, { addedLater: { a: 1 }, extensions: { 2: { ...extension, too: 1 } } }),
    );
    const { terms, legs } = holdFromRow(row);
    expect(JSON.parse(termsToJson(terms, legs))).toEqual(JSON.parse(row.terms));
  });

  it.each<[string, (terms: Record<string, unknown>) => void]>([
    ['a role that does not exist', (terms) => Object.assign(terms, { roles: ['allowance', 'lender'] })],
    ['a spare limit of a role that does not exist', (terms) => Object.assign(terms, { spare: { lender: '1' } })],
    ['a price as a number', (terms) => Object.assign(terms, { providerPrice: { ...price, inputPerMillionCents: 1 } })],
    ['no model', (terms) => delete terms.modelId],
  ])('rejects terms with %s, naming the hold', (_what, change) => {
    const bigints = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value);
    const row = toRow();
    const terms = JSON.parse(row.terms) as Record<string, unknown>;
    change(terms);
    expect(() => holdFromRow({ ...row, terms: JSON.stringify(terms, bigints) })).toThrow(hold.holdId);
  });

  it('rejects a hold with more accounts than roles', () => {
    expect(() => holdFromRow(toRow((terms) => Object.assign(terms, { roles: ['allowance'] })))).toThrow('each');
  });
});

it('returns the limits of legs and the spare ones', () => {
  expect(applicableLimits(hold)).toEqual({ allowance: 11n, owner: 13n, wallet: 12n, quota: 14n });
});

it('drops legs and spare limits of some roles', () => {
  const { legs, terms } = withoutRoles(hold, (role) => role === 'allowance' || role === 'wallet');
  expect(legs.map(({ role }) => role)).toEqual(['owner']);
  expect(terms.spare).toEqual({ quota: '14' });
});
