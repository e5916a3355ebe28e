import type { IncomingHttpHeaders } from 'node:http';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { isUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../context.js';
import { hashApiKey, parseKeyKind } from '../domain/api-key.js';
import type { CustomerInfo, KeyInfo, ProjectInfo } from '../domain/identity.js';
import {
  customerPrincipal,
  isInScope,
  keyPrincipal,
  ownerPrincipal,
  revocableSubjects,
  type TokenClaims,
} from '../domain/principal.js';
import { findApiKey } from '../operations/api-keys/find-api-key.js';
import type { VerifiedToken } from './token-authority.js';

export type AuthenticationContext = Pick<
  Context,
  'clock' | 'config' | 'customers' | 'directory' | 'keyUsage' | 'logger' | 'pool' | 'revocations' | 'tokens'
>;

/** A kind of credential. A valid credential of a kind that the route does not accept is 403; an invalid one is 401. */
export type Credential = 'secret_key' | 'publishable_key' | 'customer' | 'owner';

/** Longer than any credential that Tollgate issues; a longer one is refused before it is hashed. */
const CREDENTIAL_CHARS_MAX = 4096;

/** The headers in which the vendors' client libraries send a key. */
export type VendorKeyHeader = 'x-api-key' | 'x-goog-api-key';

/** The header of a vendor counts only on endpoints whose vendor's client library sends it. */
interface CredentialOptions {
  vendorKeyHeader?: VendorKeyHeader;
}

/** The endpoint that the credential is used at. Without a path, tokens of a limited scope are refused. */
interface AuthenticationOptions extends CredentialOptions {
  path?: string;
}

/**
 * Returns the principal of the request's credential. While nothing about a credential changes, returns the same object:
 * rpc caches the encoded form by identity.
 *
 * @throws AppError UNAUTHORIZED; FORBIDDEN outside the token's scope; INVALID_INPUT or NOT_FOUND for a bad
 * `X-Service-Customer-Id`
 */
export async function authenticate(
  headers: IncomingHttpHeaders,
  ctx: AuthenticationContext,
  options: AuthenticationOptions = {},
): Promise<Principal> {
  const credential = readCredential(headers, options);
  if (credential === undefined) throw new AppError('UNAUTHORIZED', 'credentials required');
  if (parseKeyKind(ctx.config.keyPrefix, credential)) return authenticateKey(credential, headers, ctx);
  return authenticateToken(credential, ctx, options.path ?? '');
}

async function authenticateKey(
  credential: string,
  headers: IncomingHttpHeaders,
  ctx: AuthenticationContext,
): Promise<Principal> {
  const hash = hashApiKey(ctx.config.peppers.current, credential);
  const key = await ctx.directory.key(hash, () => findApiKey(ctx, credential));
  const nowMs = ctx.clock.nowMs();
  if (!key || (key.expiresMs !== undefined && key.expiresMs <= nowMs)) throw invalid();
  if (ctx.revocations.has(key.keyId) || ctx.revocations.has(key.project.projectId)) throw invalid();
  ctx.keyUsage.touch(key.keyId, nowMs);
  const customerId = headers['x-service-customer-id'];
  if (customerId === undefined || key.kind !== 'secret') return cachedKeyPrincipal(key);
  return authenticateForCustomer(key, String(customerId), ctx);
}

async function authenticateForCustomer(
  key: KeyInfo,
  customerId: string,
  ctx: Pick<Context, 'customers' | 'revocations'>,
): Promise<Principal> {
  return cachedScopedPrincipal(key, await findNamedCustomer(ctx, cachedKeyPrincipal(key), customerId));
}

/** Returns the customer that `X-Service-Customer-Id` names in the project. @throws AppError INVALID_INPUT, NOT_FOUND */
export async function findNamedCustomer(
  ctx: Pick<Context, 'customers' | 'revocations'>,
  project: Principal,
  customerId: string,
): Promise<CustomerInfo> {
  if (customerId.trim() === '') throw new AppError('INVALID_INPUT', 'X-Service-Customer-Id must not be empty');
  const unknown = () => new AppError('NOT_FOUND', 'customer not found');
  if (!isUuid(customerId)) throw unknown();
  const customer = await ctx.customers.find(project, customerId.toLowerCase());
  if (!customer || ctx.revocations.has(customer.customerId)) throw unknown();
  return customer;
}

async function authenticateToken(
  credential: string,
  ctx: Pick<Context, 'directory' | 'revocations' | 'tokens'>,
  path: string,
): Promise<Principal> {
  const token = await ctx.tokens.verify(credential);
  if (!token || ctx.revocations.hasAny(revocableSubjects(token.claims))) throw invalid();
  if (!isInScope(token.claims, path)) throw outOfScope();
  return token.claims.typ === 'customer' ? authenticateCustomer(token, ctx) : authenticateOwner(token.claims, ctx);
}

async function authenticateCustomer(token: VerifiedToken, ctx: Pick<Context, 'directory'>): Promise<Principal> {
  const project = await ctx.directory.project(token.claims.pid);
  if (!project || token.claims.typ !== 'customer') throw invalid();
  const known = customerPrincipals.get(token);
  if (known?.project === project) return known.principal;
  const principal = customerPrincipal(token.claims, project);
  customerPrincipals.set(token, { project, principal });
  return principal;
}

async function authenticateOwner(claims: TokenClaims, ctx: Pick<Context, 'directory'>): Promise<Principal> {
  const owner = await ctx.directory.owner(claims.sub);
  if (!owner) throw invalid();
  return ownerPrincipal(owner, claims.sid);
}

const keyPrincipals = new WeakMap<KeyInfo, Principal>();
const customerPrincipals = new WeakMap<VerifiedToken, { project: ProjectInfo; principal: Principal }>();
const scopedPrincipals = new WeakMap<CustomerInfo, { key: KeyInfo; principal: Principal }>();

function cachedKeyPrincipal(key: KeyInfo): Principal {
  let principal = keyPrincipals.get(key);
  if (!principal) {
    principal = keyPrincipal(key);
    keyPrincipals.set(key, principal);
  }
  return principal;
}

function cachedScopedPrincipal(key: KeyInfo, customer: CustomerInfo): Principal {
  const known = scopedPrincipals.get(customer);
  if (known?.key === key) return known.principal;
  const principal = keyPrincipal(key, customer);
  scopedPrincipals.set(customer, { key, principal });
  return principal;
}

function outOfScope(): AppError {
  const message =
    'a session of the customer portal may use only /api/v1/customers/me; mint a customer token for your app';
  return new AppError('FORBIDDEN', message);
}

function invalid(): AppError {
  return new AppError('UNAUTHORIZED', 'invalid credentials');
}

/**
 * Returns the one credential that counts; undefined when none was sent. `Authorization` wins over the API-key headers even
 * when it is invalid: a request never falls back silently to another identity.
 *
 * @throws AppError UNAUTHORIZED
 */
export function readCredential(headers: IncomingHttpHeaders, options: CredentialOptions = {}): string | undefined {
  const { authorization } = headers;
  if (authorization !== undefined) {
    const token = /^bearer +([\x21-\x7e]+) *$/i.exec(authorization)?.[1];
    if (!token || token.length > CREDENTIAL_CHARS_MAX) throw invalid();
    return token;
  }
  const { vendorKeyHeader } = options;
  const key = headers['x-service-api-key'] ?? (vendorKeyHeader && headers[vendorKeyHeader]);
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key === '' || key.length > CREDENTIAL_CHARS_MAX) throw invalid();
  return key;
}

const CREDENTIAL_NAMES: Record<Credential, string> = {
  secret_key: 'a secret key',
  publishable_key: 'a publishable key',
  customer: "a customer's token",
  owner: "an owner's session",
};

const BY_KIND: Partial<Record<PrincipalKind, Credential>> = {
  [PrincipalKind.SECRET_KEY]: 'secret_key',
  [PrincipalKind.PUBLISHABLE_KEY]: 'publishable_key',
  [PrincipalKind.CUSTOMER]: 'customer',
};

/** @throws AppError FORBIDDEN, naming the credentials that the endpoint accepts */
export function requireCredential(principal: Principal, accepted: readonly Credential[]): void {
  const credential = BY_KIND[principal.kind] ?? 'owner';
  if (accepted.includes(credential)) return;
  const wanted = accepted.map((it) => CREDENTIAL_NAMES[it]).join(' or ');
  throw new AppError('FORBIDDEN', `this endpoint does not accept ${CREDENTIAL_NAMES[credential]}; use ${wanted}`);
}
