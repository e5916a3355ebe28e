import { expect, it } from '@jest/globals';
import { refundableCents, splitWallet } from './wallet-split.js';

const wallet = { balance: 15n, held: 0n, paid: 10n, refunding: 0n };

it.each([
  ['granted credit beside paid money', {}, { paid: 10n, granted: 5n }],
  ['granted credit as used first', { balance: 12n }, { paid: 10n, granted: 2n }],
  ['paid money as used last', { balance: 4n }, { paid: 4n, granted: 0n }],
  ['holds as taken from granted credit first', { held: 3n }, { paid: 10n, granted: 2n }],
  ['refunds in progress as taken from paid money', { held: 8n, refunding: 8n }, { paid: 2n, granted: 5n }],
  ['more refunded than paid as no paid money', { balance: 3n, paid: -2n }, { paid: 0n, granted: 3n }],
  ['a wallet below zero as empty', { balance: -1n }, { paid: 0n, granted: 0n }],
])('counts %s', (_what, values, split) => {
  expect(splitWallet({ ...wallet, ...values })).toEqual(split);
});

const CENT = 1_000_000n;
const payment = { paidCents: 1_500n, reversedCents: 0n, refundingCents: 0n };
const paidWallet = { balance: 1_500n * CENT, held: 0n, paid: 1_500n * CENT, refunding: 0n };

it('refunds a payment that was not touched in full', () => {
  expect(refundableCents(payment, paidWallet)).toBe(1_500n);
});

it.each([
  ['what was refunded or disputed before', { reversedCents: 400n }, {}, 1_100n],
  ['refunds in progress', { refundingCents: 600n }, {}, 900n],
  ['what was spent', {}, { balance: 700n * CENT }, 700n],
  ['a fraction of a cent', {}, { balance: 700n * CENT - 1n }, 699n],
  ['what open requests hold', {}, { held: 1_000n * CENT }, 500n],
  ['granted credit', {}, { balance: 2_000n * CENT }, 1_500n],
  ['granted credit that was used first', {}, { balance: 1_600n * CENT, paid: 1_500n * CENT }, 1_500n],
  [
    'other refunds of the wallet in progress',
    {},
    { held: 900n * CENT, refunding: 900n * CENT, balance: 2_000n * CENT },
    600n,
  ],
  ['everything from a wallet without money', {}, { balance: -5n * CENT }, 0n],
  ['everything, if all of it was returned', { reversedCents: 1_500n }, { balance: 500n * CENT, paid: 0n }, 0n],
])('leaves out %s', (_what, ofPayment, ofWallet, cents) => {
  expect(refundableCents({ ...payment, ...ofPayment }, { ...paidWallet, ...ofWallet })).toBe(cents);
});
