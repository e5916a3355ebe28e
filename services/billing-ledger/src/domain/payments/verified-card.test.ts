import { expect, it } from '@jest/globals';
import { cardRefusal, type ProcessorCard } from './verified-card.js';

const card: ProcessorCard = {
  id: 'pm_1',
  brand: 'visa',
  last4: '4242',
  funding: 'credit',
  fingerprint: 'abc',
  expMonth: 1,
  expYear: 2030,
};
it.each<[string, ProcessorCard | undefined, RegExp | undefined]>([
  ['credit', card, undefined],
  ['debit', { ...card, funding: 'debit' }, undefined],
  ['prepaid', { ...card, funding: 'prepaid' }, /prepaid/],
  ['without a fingerprint', { ...card, fingerprint: null }, /cannot be identified/],
  ['no card at all', undefined, /not a card/],
])('decides whether a card verifies an account: %s', (_, values, reason) => {
  if (reason) expect(cardRefusal(values)).toMatch(reason);
  else expect(cardRefusal(values)).toBeUndefined();
});
