import { createMessage } from '@tollgate/contracts/codec';
import { type Principal, PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { MICROCENTS_PER_CENT } from '@tollgate/money';
import type { CustomerInfo, KeyInfo, OwnerInfo, ProjectInfo } from './identity.js';

/** Claims of Tollgate's JWTs besides iss, aud, iat and exp. */
export type TokenClaims = AccessClaims | CustomerClaims;

/** An owner's session. */
interface AccessClaims {
  typ: 'access';
  /** User id. */
  sub: string;
  sid: string;
  /** The project in which the session started. */
  pid: string;
}

/** One customer of one project. */
interface CustomerClaims {
  typ: 'customer';
  /** Customer id. */
  sub: string;
  sid: string;
  pid: string;
  euid: string;
  eext: string;
  /** Empty in projects that bill outside Tollgate. */
  tier: string;
  /** A session of the portal, which sees and pays; absent: all that a customer may do. */
  scope?: 'portal';
}

/** Returns the claims of a verified token; undefined when their form is unknown. */
export function parseClaims(payload: Record<string, unknown>): TokenClaims | undefined {
  const { typ, sub, sid, pid, euid, eext, tier, scope } = payload;
  if (!isText(sub) || !isText(sid) || !isText(pid)) return undefined;
  if (typ === 'access') return { typ, sub, sid, pid };
  if (typ !== 'customer' || !isText(euid) || typeof eext !== 'string') return undefined;
  const claims = { typ, sub, sid, pid, euid, eext, tier: typeof tier === 'string' ? tier : '' } as const;
  if (scope === undefined) return claims;
  // A scope of a later version must not open more than this version knows.
  return scope === 'portal' ? { ...claims, scope } : undefined;
}

const PORTAL_PATH = '/customers/me';

/** Whether a token may be used at an endpoint, whose path is relative to /api/v1. A session of the portal has its own pages only. */
export function isInScope(claims: TokenClaims, path: string): boolean {
  if (claims.typ !== 'customer' || claims.scope === undefined) return true;
  return path === PORTAL_PATH || path.startsWith(`${PORTAL_PATH}/`);
}

/** Returns the ids whose revocation ends the token: its session, its project and its customer. */
export function revocableSubjects(claims: TokenClaims): string[] {
  return claims.typ === 'customer' ? [claims.sid, claims.pid, claims.euid] : [claims.sid];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

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
