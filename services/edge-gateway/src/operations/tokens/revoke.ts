import { type Queryable, withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { CUSTOMER_TOKEN_TTL_MAX_SECONDS } from '../../domain/customer-token-ttl.js';
import { deleteCustomerSession } from '../../store/customer-sessions.js';
import { deleteOwnerDevicesOfUser } from '../../store/owner-device-sign-ins.js';
import { insertRevocation, insertRevocations, type RevocationKind } from '../../store/revocations.js';
import { endSignIn, markSessionRevoked, markUserSessionsRevoked } from '../../store/sessions.js';

type Parts = Pick<Context, 'config' | 'clock' | 'pool' | 'revocations'>;

/** Added to the lifetime of the revoked credential for clock differences. */
const MARGIN_MS = 10 * 60_000;

/** Ends a sign-in: its refresh tokens and access tokens, on every edge. */
export async function revokeSession(ctx: Parts, sessionId: string): Promise<void> {
  await withTransaction(ctx.pool, (tx) => writeSessionRevocation(ctx, tx, sessionId));
  announceRevocation(ctx, 'session', sessionId);
}

export async function writeSessionRevocation(ctx: Parts, db: Queryable, sessionId: string): Promise<void> {
  await markSessionRevoked(db, sessionId, ctx.clock.now());
  await writeRevocation(ctx, db, 'session', sessionId);
}

/** Ends all sign-ins of a user. Returns the ids of the sessions, to announce after the commit. */
export async function writeUserRevocation(ctx: Parts, db: Queryable, userId: string): Promise<string[]> {
  // First: a device that is taking its tokens has a session afterwards, which is ended like the others.
  await deleteOwnerDevicesOfUser(db, userId);
  const ids = await markUserSessionsRevoked(db, userId, ctx.clock.now());
  await insertRevocations(db, 'session', ids, computeExpiry(ctx, 'session'));
  return ids;
}

/** Ends one sign-in of a user, on every edge. Returns false when the user has no such session. */
export async function revokeSignIn(ctx: Parts, id: string, userId: string): Promise<boolean> {
  const isEnded = await withTransaction(ctx.pool, async (tx) => {
    const isTheirs = await endSignIn(tx, { id, userId, at: ctx.clock.now() });
    if (isTheirs) await writeRevocation(ctx, tx, 'session', id);
    return isTheirs;
  });
  if (isEnded) announceRevocation(ctx, 'session', id);
  return isEnded;
}

/** Ends one sign-in of a customer, on every edge. Returns false when the customer has no such session. */
export async function revokeCustomerSession(
  ctx: Parts,
  session: { id: string; projectId: string; customerId: string },
): Promise<boolean> {
  const isEnded = await withTransaction(ctx.pool, async (tx) => {
    const isTheirs = await deleteCustomerSession(tx, session);
    if (isTheirs) await writeRevocation(ctx, tx, 'customer_session', session.id);
    return isTheirs;
  });
  if (isEnded) announceRevocation(ctx, 'customer_session', session.id);
  return isEnded;
}

/** Ends every token of a deleted customer. */
export async function revokeCustomer(ctx: Parts, customerId: string): Promise<void> {
  const id = customerId.toLowerCase(); // the form in tokens
  await writeRevocation(ctx, ctx.pool, 'customer', id);
  announceRevocation(ctx, 'customer', id);
}

/** Stores the revocation in its cause's transaction; the other edges poll it. */
export function writeRevocation(ctx: Parts, db: Queryable, kind: RevocationKind, subjectId: string): Promise<void> {
  return insertRevocation(db, kind, subjectId, computeExpiry(ctx, kind));
}

/** Applies the revocation on this edge after the commit, without waiting for its next poll. */
export function announceRevocation(ctx: Parts, kind: RevocationKind, subjectId: string): void {
  ctx.revocations.add(subjectId, lifetimeMs(ctx, kind) + MARGIN_MS);
}

function computeExpiry(ctx: Parts, kind: RevocationKind): Date {
  return new Date(ctx.clock.nowMs() + lifetimeMs(ctx, kind) + MARGIN_MS);
}

/** Returns how long a credential that was just issued stays valid. */
function lifetimeMs(ctx: Parts, kind: RevocationKind): number {
  switch (kind) {
    case 'key':
      return 0; // looked up again every few seconds
    case 'session':
      return ctx.config.tokens.accessTtlMs;
    default:
      return CUSTOMER_TOKEN_TTL_MAX_SECONDS * 1000;
  }
}
