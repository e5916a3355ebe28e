import { expect, it } from '@jest/globals';
import { describeConsequences } from './describe-consequences.js';

const DOWNGRADE = {
  action: 'downgraded',
  due_now_cents: 0,
  currency: 'usd',
  next_amount_cents: 2_000,
  next_at: '2026-12-30T00:00:00.000Z',
  lost_models: [],
  added_models: [],
  loses_wallet: false,
} as const;

it.each([
  [0, /^The next payment is \$20\.00 on December \d\d, 2026\.$/],
  [500, /^The next regular payment is \$20\.00 on December \d\d, 2026, less this credit\.$/],
  [2_000, /^It covers the next regular payment, \$20\.00 on December \d\d, 2026: you pay nothing then\.$/],
])('describes the next payment after a credit of %i cents', (credit, line) => {
  const preview = { ...DOWNGRADE, lost_models: [], added_models: [], credit_cents: credit };
  expect(describeConsequences(preview, { from: 'Team', to: 'Pro' })).toEqual(
    expect.arrayContaining([expect.stringMatching(line)]),
  );
});
