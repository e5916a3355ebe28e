import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ClosedWallet, type ClosingEntry, closingEntries } from './closed-wallet.js';

const EMPTY: ClosedWallet = { balance: 0n, held: 0n, paid: 0n, forfeited: 0n, writtenOff: 0n };
const sum = (entries: ClosingEntry[], kind: ClosingEntry['kind']) =>
  entries.filter((e) => e.kind === kind).reduce((total, e) => total + e.microcents, 0n);

describe('the wallet of a deleted customer', () => {
  it.each<[string, Partial<ClosedWallet>, ClosingEntry[]]>([
    ['empty: nothing', {}, []],
    ['paid: forfeited', { balance: 7n, paid: 7n }, [{ kind: 'forfeited', microcents: 7n }]],
    ['granted: returned', { balance: 7n }, [{ kind: 'promo_returned', microcents: 7n }]],
    [
      'paid and granted credit are separated',
      { balance: 9n, paid: 7n },
      [
        { kind: 'forfeited', microcents: 7n },
        { kind: 'promo_returned', microcents: 2n },
      ],
    ],
    ['granted credit is used first', { balance: 5n, paid: 7n }, [{ kind: 'forfeited', microcents: 5n }]],
    ['held amounts remain', { balance: 7n, held: 3n, paid: 7n }, [{ kind: 'forfeited', microcents: 4n }]],
    [
      'a later refund is covered',
      { balance: -3n, paid: 4n, forfeited: 7n },
      [{ kind: 'forfeit_returned', microcents: 3n }],
    ],
    [
      'as far as it reaches; the rest is written off',
      { balance: -9n, paid: -2n, forfeited: 7n },
      [
        { kind: 'forfeit_returned', microcents: 7n },
        { kind: 'written_off', microcents: 2n },
      ],
    ],
    ['overdrawn before: written off', { balance: -9n, paid: 7n }, [{ kind: 'written_off', microcents: 9n }]],
    [
      'money that returns later repays the debt first',
      { balance: 15n, paid: 15n, writtenOff: 9n },
      [
        { kind: 'write_off_returned', microcents: 9n },
        { kind: 'forfeited', microcents: 6n },
      ],
    ],
  ])('returns the closing entries of a wallet: %s', (_, wallet, entries) => {
    expect(closingEntries({ ...EMPTY, ...wallet })).toEqual(entries);
  });

  it('keeps only held amounts, never forfeits more than was paid, and never both forfeits and writes off', () => {
    const amount = fc.bigInt(0n, 1_000n);
    const debt = fc.oneof(fc.constant(0n), amount);
    fc.assert(
      fc.property(fc.bigInt(-1_000n, 1_000n), amount, amount, debt, (balance, held, forfeited, writtenOff) => {
        const before = writtenOff > 0n ? 0n : forfeited;
        const wallet = {
          balance,
          held: balance > held ? held : 0n,
          paid: before + toAmount(held),
          forfeited: before,
          writtenOff,
        };
        const entries = closingEntries(wallet);
        const net = (out: ClosingEntry['kind'], back: ClosingEntry['kind']) => sum(entries, out) - sum(entries, back);
        const after = before + net('forfeited', 'forfeit_returned');
        const owed = writtenOff + net('written_off', 'write_off_returned');
        const left =
          wallet.balance -
          net('forfeited', 'forfeit_returned') -
          sum(entries, 'promo_returned') +
          net('written_off', 'write_off_returned');
        expect(after >= 0n && after <= wallet.paid && owed >= 0n).toBe(true);
        expect(left).toBe(wallet.held);
        expect(after === 0n || owed === 0n).toBe(true);
        expect(closingEntries({ ...wallet, balance: left, forfeited: after, writtenOff: owed })).toEqual([]);
      }),
    );
  });
});

/** Any amount beyond what was forfeited. */
const toAmount = (held: bigint): bigint => held * 3n;
