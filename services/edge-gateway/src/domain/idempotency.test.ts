import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { hashJson, idempotencyScope, isKeptAnswer } from './idempotency.js';

describe('hashJson', () => {
  it('is the same for bodies that say the same', () => {
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
  ])('tells %j from %j', (a, b) => {
    expect(hashJson(a).equals(hashJson(b))).toBe(false);
  });
});

describe('isKeptAnswer', () => {
  it.each([200, 201, 204, 400, 403, 404, 409])('keeps %i', (status) => expect(isKeptAnswer(status)).toBe(true));
  it.each([402, 429, 500, 503])('forgets %i, which a retry may change', (status) =>
    expect(isKeptAnswer(status)).toBe(false),
  );
});

describe('idempotencyScope', () => {
  const ids = { accountId: 'a', projectId: 'p', userId: 'u', keyId: 'k' };
  const scopeOf = (kind: PrincipalKind, customerId = '') =>
    idempotencyScope(create(PrincipalSchema, { kind, ...ids, customerId }));

  it('is shared by all keys of a project and by nobody else', () => {
    expect(scopeOf(PrincipalKind.SECRET_KEY)).toBe('project:p');
    expect(scopeOf(PrincipalKind.SECRET_KEY, 'c')).toBe('project:p:c');
    expect(scopeOf(PrincipalKind.CUSTOMER, 'c')).toBe('customer:c');
    expect(scopeOf(PrincipalKind.OWNER)).toBe('account:a');
  });
});
