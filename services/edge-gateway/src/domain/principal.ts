import { createMessage } from '@tollgate/contracts/codec';
import { type Principal, PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { MICROCENTS_PER_CENT } from '@tollgate/money';
import type { CustomerInfo, KeyInfo, OwnerInfo, ProjectInfo } from './identity.js';
import type { CustomerClaims } from './token-claims.js';

export function keyPrincipal(key: KeyInfo, customer?: CustomerInfo): Principal {
  return createMessage(PrincipalSchema, {
    kind: key.kind === 'secret' ? PrincipalKind.SECRET_KEY : PrincipalKind.PUBLISHABLE_KEY,
    ...toScope(key.project),
    keyId: key.keyId,
    ...(key.spendLimitCents === undefined
      ? {}
      : { keySpendLimitMicrocents: key.spendLimitCents * MICROCENTS_PER_CENT }),
    ...(customer && customerFields(customer)),
  });
}

/** Returns the principal acting for a customer of the project. */
export function principalForCustomer(principal: Principal, customer: CustomerInfo): Principal {
  return createMessage(PrincipalSchema, { ...principal, ...customerFields(customer) });
}

function customerFields({ customerId, externalId: customerExternalId, tierCode }: CustomerInfo) {
  return { customerId, customerExternalId, tierCode };
}

export function customerPrincipal(claims: CustomerClaims, project: ProjectInfo): Principal {
  return createMessage(PrincipalSchema, {
    kind: PrincipalKind.CUSTOMER,
    ...toScope(project),
    customerId: claims.euid,
    customerExternalId: claims.eext,
    tierCode: claims.tier,
  });
}

export function ownerPrincipal({ userId, project }: OwnerInfo, sessionId: string): Principal {
  return createMessage(PrincipalSchema, { kind: PrincipalKind.OWNER, ...toScope(project), userId, sessionId });
}

/** Returns the principal acting in another project of the same account. */
export function principalInProject(principal: Principal, project: ProjectInfo): Principal {
  const { responseStorage: _ofOther, ...rest } = principal;
  return createMessage(PrincipalSchema, { ...rest, ...toScope(project) });
}

type Scope = Pick<
  Principal,
  'accountId' | 'projectId' | 'byob' | 'responseCache' | 'responseStorage' | 'dropsUnsupportedParameters'
>;

function toScope({ responseStorage, ...project }: ProjectInfo): Scope {
  const { accountId, projectId, byob, responseCache, dropsUnsupportedParameters } = project;
  const storage = responseStorage !== undefined && { responseStorage };
  return { accountId, projectId, byob, responseCache, dropsUnsupportedParameters, ...storage };
}
