import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ClosedWallet, type ClosingEntry, closingEntries } from './closed-wallet.js';

const EMPTY: ClosedWallet = { balance: 0n, held: 0n, paid: 0n, forfeited: 0n };
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
      'as far as it reaches',
      { balance: -9n, paid: -2n, forfeited: 7n },
      [{ kind: 'forfeit_returned', microcents: 7n }],
    ],
    ['overdrawn before: stays so', { balance: -9n, paid: 7n }, []],
  ])('returns the closing entries of a wallet: %s', (_, wallet, entries) => {
    expect(closingEntries({ ...EMPTY, ...wallet })).toEqual(entries);
  });

  it('keeps only held amounts and debts, and never forfeits more than was paid', () => {
    const amount = fc.bigInt(0n, 1_000n);
    fc.assert(
      fc.property(fc.bigInt(-1_000n, 1_000n), amount, amount, amount, (balance, held, forfeited, more) => {
        const paid = forfeited + more;
        const wallet = { balance, held: balance > held ? held : 0n, paid, forfeited };
        const entries = closingEntries(wallet);
        const out = sum(entries, 'forfeited') + sum(entries, 'promo_returned') - sum(entries, 'forfeit_returned');
        const left = wallet.balance - out;
        const after = forfeited + sum(entries, 'forfeited') - sum(entries, 'forfeit_returned');
        expect(after >= 0n && after <= paid).toBe(true);
        expect(left <= wallet.held).toBe(true);
        expect(left === wallet.held || after === 0n).toBe(true);
        expect(closingEntries({ ...wallet, balance: left, forfeited: after })).toEqual([]);
      }),
    );
  });
});
