import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { disputedCents, type PaymentState, paymentEntries, reversedCents } from './payment-entries.js';

const payment = (values: Partial<PaymentState> = {}): PaymentState => ({
  id: 'pi_1',
  receivedCents: 1_000n,
  refunds: [],
  disputes: [],
  ...values,
});
const summary = (state: PaymentState) =>
  paymentEntries(state).map(({ kind, direction, cents }) => `${kind} ${direction} ${cents}`);

describe('the journal entries of a payment', () => {
  it.each<[string, Partial<PaymentState>, string[]]>([
    ['received', {}, ['top_up credit 1000']],
    ['nothing received', { receivedCents: 0n }, []],
    [
      'refunded in part',
      { refunds: [{ id: 're_1', cents: 300n, status: 'succeeded' }] },
      ['top_up credit 1000', 'refund debit 300'],
    ],
    [
      'a pending refund',
      { refunds: [{ id: 're_1', cents: 300n, status: 'pending' }] },
      ['top_up credit 1000', 'refund debit 300'],
    ],
    [
      'a refund that failed later',
      { refunds: [{ id: 're_1', cents: 300n, status: 'failed' }] },
      ['top_up credit 1000', 'refund debit 300', 'refund_failed credit 300'],
    ],
    [
      'disputed',
      { disputes: [{ id: 'du_1', cents: 1_000n, status: 'needs_response' }] },
      ['top_up credit 1000', 'dispute debit 1000'],
    ],
    [
      'a dispute that was lost',
      { disputes: [{ id: 'du_1', cents: 1_000n, status: 'lost' }] },
      ['top_up credit 1000', 'dispute debit 1000'],
    ],
    [
      'a dispute that was won',
      { disputes: [{ id: 'du_1', cents: 1_000n, status: 'won' }] },
      ['top_up credit 1000', 'dispute debit 1000', 'dispute_won credit 1000'],
    ],
    [
      'an inquiry',
      { disputes: [{ id: 'du_1', cents: 1_000n, status: 'warning_needs_response' }] },
      ['top_up credit 1000'],
    ],
  ])('returns the entries of a payment: %s', (_, values, expected) => {
    expect(summary(payment(values))).toEqual(expected);
  });

  it('includes every entry of an earlier state, so that webhook events can arrive in any order', () => {
    const statuses = { refund: ['pending', 'succeeded', 'failed'], dispute: ['needs_response', 'won'] };
    const states = fc.array(
      fc.record({ refund: fc.constantFrom(...statuses.refund), dispute: fc.constantFrom(...statuses.dispute) }),
      { minLength: 2, maxLength: 2 },
    );
    fc.assert(
      fc.property(states, (pair) => {
        const [early, late] = pair.sort(
          (a, b) => statuses.refund.indexOf(a.refund) - statuses.refund.indexOf(b.refund),
        ) as [(typeof pair)[0], (typeof pair)[0]];
        const state = (s: (typeof pair)[0], dispute: string) =>
          payment({
            refunds: [{ id: 're_1', cents: 100n, status: s.refund }],
            disputes: [{ id: 'du_1', cents: 50n, status: dispute }],
          });
        const before = summary(state(early, 'needs_response'));
        const after = summary(state(late, late.dispute));
        for (const entry of before) expect(after).toContain(entry);
      }),
    );
  });

  it('sums the entries to the net reversed amount', () => {
    const entries = paymentEntries(
      payment({
        refunds: [
          { id: 're_1', cents: 300n, status: 'succeeded' },
          { id: 're_2', cents: 200n, status: 'failed' },
        ],
        disputes: [{ id: 'du_1', cents: 100n, status: 'won' }],
      }),
    );
    expect(reversedCents(entries)).toBe(300n);
  });
});

describe('the amount of a dispute', () => {
  const usd = (cents: bigint) => ({ currency: 'usd', cents });
  const jpy = (cents: bigint) => ({ currency: 'jpy', cents });
  it.each([
    ['in the payment’s currency: its own', usd(400n), [usd(-900n)], 400n],
    ['in another currency: what was withdrawn', jpy(900n), [jpy(-1n), usd(-580n), usd(580n)], 580n],
    ['withdrawn in another currency: the whole payment', jpy(90_000n), [jpy(-90_000n)], 1_000n],
    ['not withdrawn yet: the whole payment', jpy(9n), [], 1_000n],
  ])('counts a dispute %s', (_, disputed, moved, expected) => {
    expect(disputedCents({ disputed, moved }, usd(1_000n))).toBe(expected);
  });
});
