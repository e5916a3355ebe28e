import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { attemptOutcome, bodyDigest, hashJson, idempotencyScope } from './idempotency.js';

describe('hashJson', () => {
  it('keeps its value from one version to the next', () => {
    const body = { b: [1, { d: null, c: 'ä"\u2028' }], a: { '10': true, '9': 1.5e300, Z: -0, é: 'x' }, '': [] };
    expect(hashJson(body).toString('hex')).toBe('d5ee246c8ca9195b0d0ef2232c968b546689059cad66e14377ffe0e3dcc28cf5');
  });

  it('equals for bodies with equal values', () => {
    const a = JSON.parse('{"a":1,"b":{"c":[1,2],"d":null}}');
    const b = JSON.parse('{ "b": {"d": null, "c": [1, 2]}, "a": 1.0 }');
    expect(hashJson(a).equals(hashJson(b))).toBe(true);
  });

  it.each([
    [{ a: [1, 2] }, { a: [2, 1] }],
    [{ a: '1' }, { a: 1 }],
    [{ a: null }, {}],
    [[], {}],
    ['a', ['a']],
  ])('distinguishes %j from %j', (a, b) => {
    expect(hashJson(a).equals(hashJson(b))).toBe(false);
  });
});

describe('attemptOutcome', () => {
  it.each([200, 201, 204, 400, 403, 404, 409])('treats %i as final', (status) => {
    expect(attemptOutcome(status, false)).toBe('settled');
    expect(attemptOutcome(status, true)).toBe('settled');
  });

  it.each([402, 429, 500, 503, undefined])('requires proof that nothing was spent for %s', (status) => {
    expect(attemptOutcome(status, true)).toBe('undispatched');
    expect(attemptOutcome(status, false)).toBe('unknown');
  });
});

describe('bodyDigest', () => {
  const digest = (text: string) => bodyDigest(Buffer.from(text), () => JSON.parse(text));

  it('matches the same bytes and no others', () => {
    expect(digest('{"a":1}').matches(digest('{"a":1}').hash)).toBe(true);
    expect(digest('{"a":1}').matches(digest('{"a":1} ').hash)).toBe(false);
  });

  it('matches the hash that an earlier version stored for the same JSON', () => {
    expect(digest('{"a":1, "b":2}').matches(hashJson({ b: 2, a: 1 }))).toBe(true);
    expect(digest('{"a":1}').matches(hashJson({ a: 2 }))).toBe(false);
  });

  it('does not parse the body for keys of this version', () => {
    const unread = bodyDigest(Buffer.from('x'), () => {
      throw new Error('parsed');
    });
    expect(unread.matches(digest('y').hash)).toBe(false);
  });
});

describe('idempotencyScope', () => {
  const ids = { accountId: 'a', projectId: 'p', userId: 'u', keyId: 'k' };
  const chooseScope = (kind: PrincipalKind, customerId = '') =>
    idempotencyScope(create(PrincipalSchema, { kind, ...ids, customerId }));

  it('equals for all keys of a project and for no other caller', () => {
    expect(chooseScope(PrincipalKind.SECRET_KEY)).toBe('project:p');
    expect(chooseScope(PrincipalKind.SECRET_KEY, 'c')).toBe('project:p:c');
    expect(chooseScope(PrincipalKind.CUSTOMER, 'c')).toBe('customer:c');
    expect(chooseScope(PrincipalKind.OWNER)).toBe('account:a');
  });
});
