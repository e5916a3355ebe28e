import { describe, expect, it } from '@jest/globals';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import {
  customerPrincipal,
  isInScope,
  keyPrincipal,
  ownerPrincipal,
  parseClaims,
  principalInProject,
  revocableSubjects,
} from './principal.js';

const access = { typ: 'access', sub: 'u', sid: 's', pid: 'p' };
const customer = { typ: 'customer', sub: 'c', sid: 's', pid: 'p', euid: 'c', eext: 'ext', tier: 'free' };

describe('parseClaims', () => {
  it('reads both kinds of token and only the claims', () => {
    expect(parseClaims({ ...access, iss: 'x', exp: 1 })).toEqual(access);
    expect(parseClaims({ ...customer, aud: 'y' })).toEqual(customer);
  });

  it('reads an absent tier as none', () => {
    const { tier: _, ...rest } = customer;
    expect(parseClaims(rest)).toEqual({ ...customer, tier: '' });
  });

  it.each([
    ['no type', { ...access, typ: undefined }],
    ['another type', { ...access, typ: 'refresh' }],
    ['no subject', { ...access, sub: '' }],
    ['no session', { ...access, sid: undefined }],
    ['no project', { ...access, pid: 7 }],
    ['a customer token without its customer', { ...customer, euid: undefined }],
    ['a customer token with an unknown scope', { ...customer, scope: 'admin' }],
    ['a customer token without its external id', { ...customer, eext: undefined }],
  ])('rejects %s', (_what, payload) => {
    expect(parseClaims(payload)).toBeUndefined();
  });
});

describe('isInScope', () => {
  const portal = parseClaims({ ...customer, scope: 'portal' })!;

  it.each(['/customers/me', '/customers/me/topup'])('opens %s to a session of the portal', (path) => {
    expect(isInScope(portal, path)).toBe(true);
  });

  it.each(['', '/responses', '/v1/responses', '/customers/:id', '/customers/merge', '/auth/device/approve'])(
    'refuses a session of the portal at %j, where a customer token may be used',
    (path) => {
      expect([isInScope(portal, path), isInScope(parseClaims(customer)!, path)]).toEqual([false, true]);
    },
  );
});

describe('revocableSubjects', () => {
  it('ends a customer token with its session, project or customer', () => {
    expect(revocableSubjects(parseClaims({ ...customer, sid: 's1', pid: 'p1', euid: 'c1' })!)).toEqual([
      's1',
      'p1',
      'c1',
    ]);
  });

  it('ends an access token with its session only, because the account outlives a project', () => {
    expect(revocableSubjects(parseClaims(access)!)).toEqual(['s']);
  });
});

const settings = {
  publishableClaims: true,
  responseCache: false,
  responseStorage: undefined,
  dropsUnsupportedParameters: true,
  mcpForCustomers: true,
};
const project = { projectId: 'p', accountId: 'a', byob: true, ...settings };
const key = { keyId: 'k', kind: 'secret', project, spendLimitCents: 250n, expiresMs: undefined } as const;

describe('principals', () => {
  it("contains a secret key's limit in microcents and its customer", () => {
    const customer = { customerId: 'c', externalId: 'ext', tierCode: 'pro' };
    expect(keyPrincipal(key, customer)).toMatchObject({
      kind: PrincipalKind.SECRET_KEY,
      accountId: 'a',
      projectId: 'p',
      keyId: 'k',
      byob: true,
      keySpendLimitMicrocents: 250_000_000n,
      customerId: 'c',
      customerExternalId: 'ext',
      tierCode: 'pro',
    });
  });

  it('contains no limit for a key without one', () => {
    expect(keyPrincipal({ ...key, spendLimitCents: undefined }).keySpendLimitMicrocents).toBeUndefined();
  });

  it("takes a customer's account and billing mode from the project, not from the token", () => {
    const claims = { typ: 'customer', sub: 'c', sid: 's', pid: 'p', euid: 'c', eext: 'ext', tier: 'free' } as const;
    expect(customerPrincipal(claims, project)).toMatchObject({
      kind: PrincipalKind.CUSTOMER,
      accountId: 'a',
      projectId: 'p',
      byob: true,
      customerId: 'c',
      customerExternalId: 'ext',
      tierCode: 'free',
      keyId: '',
    });
  });

  it('keeps the owner in another project', () => {
    const other = { ...project, projectId: 'p2', byob: false };
    const scoped = principalInProject(ownerPrincipal({ userId: 'u', project }, 's'), other);
    expect(scoped).toMatchObject({ kind: PrincipalKind.OWNER, userId: 'u', projectId: 'p2', byob: false });
  });
});
