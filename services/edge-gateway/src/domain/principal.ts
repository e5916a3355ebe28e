import { create } from '@bufbuild/protobuf';
import { type Principal, PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { CustomerFacts, KeyFacts, OwnerFacts, ProjectFacts } from './identity.js';
import type { CustomerClaims } from './token-claims.js';

const MICROCENTS_PER_CENT = 1_000_000n;

export function keyPrincipal(key: KeyFacts, customer?: CustomerFacts): Principal {
  return create(PrincipalSchema, {
    kind: key.kind === 'secret' ? PrincipalKind.SECRET_KEY : PrincipalKind.PUBLISHABLE_KEY,
    ...scopeOf(key.project),
    keyId: key.keyId,
    ...(key.spendLimitCents === undefined
      ? {}
      : { keySpendLimitMicrocents: key.spendLimitCents * MICROCENTS_PER_CENT }),
    ...(customer && customerFields(customer)),
  });
}

/** Returns the principal acting for a customer of the project. */
export function principalForCustomer(principal: Principal, customer: CustomerFacts): Principal {
  return create(PrincipalSchema, { ...principal, ...customerFields(customer) });
}

function customerFields({ customerId, externalId: customerExternalId, tierCode }: CustomerFacts) {
  return { customerId, customerExternalId, tierCode };
}

export function customerPrincipal(claims: CustomerClaims, project: ProjectFacts): Principal {
  return create(PrincipalSchema, {
    kind: PrincipalKind.CUSTOMER,
    ...scopeOf(project),
    customerId: claims.euid,
    customerExternalId: claims.eext,
    tierCode: claims.tier,
  });
}

export function ownerPrincipal(owner: OwnerFacts): Principal {
  return create(PrincipalSchema, { kind: PrincipalKind.OWNER, ...scopeOf(owner.project), userId: owner.userId });
}

/** Returns the principal acting in another project of the same account. */
export function principalInProject(principal: Principal, project: ProjectFacts): Principal {
  return create(PrincipalSchema, { ...principal, ...scopeOf(project) });
}

function scopeOf(project: ProjectFacts): Pick<Principal, 'accountId' | 'projectId' | 'byob' | 'responseCache'> {
  const { accountId, projectId, byob, responseCache } = project;
  return { accountId, projectId, byob, responseCache };
}
