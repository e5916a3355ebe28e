import { describe, expect, it } from '@jest/globals';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { customerPrincipal, keyPrincipal, ownerPrincipal, principalInProject } from './principal.js';

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
