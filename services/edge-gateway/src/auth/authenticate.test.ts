import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { readCredential, requireCredential } from './authenticate.js';

const unauthorized = expect.objectContaining({ code: 'UNAUTHORIZED' });

describe('readCredential', () => {
  it.each([
    ['nothing', {}, undefined],
    ['a bearer token', { authorization: 'Bearer abc' }, 'abc'],
    ['a bearer token in other case', { authorization: 'bearer  abc ' }, 'abc'],
    ['an API key header', { 'x-service-api-key': 'abc' }, 'abc'],
    ['both, of which the bearer token counts', { authorization: 'Bearer a', 'x-service-api-key': 'b' }, 'a'],
    ['a vendor’s header where it is not accepted', { 'x-api-key': 'abc' }, undefined],
  ])('reads %s', (_what, headers, credential) => {
    expect(readCredential(headers)).toBe(credential);
  });

  it('reads the vendor’s header where it is accepted, after X-Service-Api-Key', () => {
    const options = { vendorKeyHeader: 'x-api-key' as const };
    expect(readCredential({ 'x-api-key': 'v' }, options)).toBe('v');
    expect(readCredential({ 'x-api-key': 'v', 'x-service-api-key': 'o' }, options)).toBe('o');
  });

  it('reads only the header that the route names', () => {
    const options = { vendorKeyHeader: 'x-goog-api-key' as const };
    expect(readCredential({ 'x-goog-api-key': 'v' }, options)).toBe('v');
    expect(readCredential({ 'x-api-key': 'v' }, options)).toBeUndefined();
  });

  it.each(['', 'Bearer', 'Bearer ', 'Basic abc', 'abc', 'Bearer a b', `Bearer ${'x'.repeat(5000)}`, 'Bearer ä'])(
    'does not fall back from the invalid winner %j',
    (authorization) => {
      expect(() => readCredential({ authorization, 'x-service-api-key': 'good' })).toThrow(unauthorized);
    },
  );

  it('refuses an empty key header', () => {
    expect(() => readCredential({ 'x-service-api-key': '' })).toThrow(unauthorized);
  });
});

const principal = (kind: PrincipalKind) => create(PrincipalSchema, { kind });

it('names the credentials that an endpoint accepts when it refuses another one', () => {
  expect(() => requireCredential(principal(PrincipalKind.PUBLISHABLE_KEY), ['secret_key', 'customer'])).toThrow(
    "this endpoint does not accept a publishable key; use a secret key or a customer's token",
  );
  expect(() => requireCredential(principal(PrincipalKind.OWNER), ['secret_key'])).toThrow(
    "this endpoint does not accept an owner's session; use a secret key",
  );
});

it('lets an accepted credential pass', () => {
  expect(() => requireCredential(principal(PrincipalKind.CUSTOMER), ['secret_key', 'customer'])).not.toThrow();
});
