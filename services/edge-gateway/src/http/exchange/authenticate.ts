import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { isUuid } from '@tollgate/runtime/uuid';
import type { VerifiedToken } from '../../auth/token-authority.js';
import type { Context } from '../../context.js';
import { hashApiKey, parseKeyKind } from '../../domain/api-key.js';
import type { CustomerInfo, KeyInfo, ProjectInfo } from '../../domain/identity.js';
import { customerPrincipal, keyPrincipal, ownerPrincipal } from '../../domain/principal.js';
import { isInScope, revocableSubjects, type TokenClaims } from '../../domain/token-claims.js';
import { findApiKey } from '../../operations/api-keys/find-api-key.js';
import { type CredentialOptions, readCredential } from './credential.js';

export type AuthenticationContext = Pick<
  Context,
  'clock' | 'config' | 'customers' | 'directory' | 'keyUsage' | 'logger' | 'pool' | 'revocations' | 'tokens'
>;

/** The endpoint that the credential is used at. Without a path, tokens of a limited scope are refused. */
export interface AuthenticationOptions extends CredentialOptions {
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
