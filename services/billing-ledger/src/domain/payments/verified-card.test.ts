import { describe, expect, it } from '@jest/globals';
import { returnUrlFaults } from './return-url.js';
import { cardRefusal, type ProcessorCard } from './verified-card.js';

describe('return addresses', () => {
  it.each([
    ['https://shop.example/ok', 'https://shop.example/no', []],
    ['http://127.0.0.1:3000/?s={CHECKOUT_SESSION_ID}', 'http://localhost/', []],
    ['', 'https://shop.example/', ['success_url']],
    ['/relative', 'javascript:alert(1)', ['success_url', 'cancel_url']],
    [`https://shop.example/${'x'.repeat(2_048)}`, 'https://shop.example/', ['success_url']],
  ])('checks the return addresses %s and %s', (successUrl, cancelUrl, fields) => {
    expect(returnUrlFaults({ success_url: successUrl, cancel_url: cancelUrl }).map(({ field }) => field)).toEqual(
      fields,
    );
  });
});

describe('a card verifies an account', () => {
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
});
