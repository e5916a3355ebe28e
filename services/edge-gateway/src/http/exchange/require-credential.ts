import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Credential } from './route-doc.js';

const NAMES: Record<Credential, string> = {
  secret_key: 'a secret key',
  publishable_key: 'a publishable key',
  customer: "a customer's token",
  owner: "an owner's session",
};

const CREDENTIALS: Partial<Record<PrincipalKind, Credential>> = {
  [PrincipalKind.SECRET_KEY]: 'secret_key',
  [PrincipalKind.PUBLISHABLE_KEY]: 'publishable_key',
  [PrincipalKind.CUSTOMER]: 'customer',
};

/** @throws AppError FORBIDDEN, naming the credentials that the endpoint accepts */
export function requireCredential(principal: Principal, accepted: readonly Credential[]): void {
  const credential = CREDENTIALS[principal.kind] ?? 'owner';
  if (accepted.includes(credential)) return;
  const wanted = accepted.map((it) => NAMES[it]).join(' or ');
  throw new AppError('FORBIDDEN', `this endpoint does not accept ${NAMES[credential]}; use ${wanted}`);
}
