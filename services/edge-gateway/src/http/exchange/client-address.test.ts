import { describe, expect, it } from '@jest/globals';
import { clientAddress } from './client-address.js';

describe('clientAddress', () => {
  const req = (forwarded?: string) =>
    ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: '10.0.0.1' } }) as never;

  it.each([
    ['trusts no proxy by default', 0, '1.1.1.1', '10.0.0.1'],
    ['takes the entry of the only proxy', 1, '6.6.6.6, 1.1.1.1', '1.1.1.1'],
    ['takes the entry of the outer of two proxies', 2, '6.6.6.6, 1.1.1.1, 10.0.0.9', '1.1.1.1'],
    ['falls back to the socket', 1, undefined, '10.0.0.1'],
    ['falls back when there are fewer entries than proxies', 3, '1.1.1.1', '10.0.0.1'],
  ])('%s', (_what, hops, forwarded, expected) => expect(clientAddress(req(forwarded), hops)).toBe(expected));
});
