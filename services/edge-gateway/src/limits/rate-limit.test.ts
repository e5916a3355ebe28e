import { describe, expect, it } from '@jest/globals';
import { clientAddress } from './rate-limit.js';

describe('clientAddress', () => {
  const req = (forwarded?: string) =>
    ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: '10.0.0.1' } }) as never;

  it.each([
    ['the socket address when no proxy is trusted', 0, '1.1.1.1', '10.0.0.1'],
    ['the entry that the only proxy added', 1, '6.6.6.6, 1.1.1.1', '1.1.1.1'],
    ['the entry that the outer of two proxies added', 2, '6.6.6.6, 1.1.1.1, 10.0.0.9', '1.1.1.1'],
    ['the socket address without X-Forwarded-For', 1, undefined, '10.0.0.1'],
    ['the socket address when there are fewer entries than proxies', 3, '1.1.1.1', '10.0.0.1'],
  ])('returns %s', (_what, hops, forwarded, expected) => expect(clientAddress(req(forwarded), hops)).toBe(expected));
});
