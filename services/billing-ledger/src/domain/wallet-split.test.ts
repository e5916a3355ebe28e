import { expect, it } from '@jest/globals';
import { splitWallet } from './wallet-split.js';

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
