import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { authenticate } from './authenticate.js';
import { clientAddress } from './client-address.js';
import type { Answered, Exchange } from './exchange.js';
import { actInProject, enterProject } from './project-scope.js';
import { refuseKeyInUrl } from './query.js';
import { checkAnonymousRateLimit, checkRateLimit, type RateOutcome, rateLimitError } from './rate-limit.js';
import { requireCredential } from './require-credential.js';

/**
 * Sets the principal, on routes that need one, and counts the request against exactly one rate limit: the principal's, or
 * the address's where there is no valid credential.
 *
 * @throws AppError UNAUTHORIZED, FORBIDDEN, RATE_LIMIT; NOT_FOUND for a project in which the user has no role
 */
export async function identify(exchange: Exchange): Promise<void> {
  const { ctx, req, route, matched } = exchange;
  if (route.auth === 'none') return limitByAddress(exchange);
  try {
    refuseKeyInUrl(route, matched.query);
    exchange.principal = await authenticate(req.headers, ctx, route);
  } catch (error) {
    await limitByAddress(exchange);
    throw error;
  }
  const { principal } = exchange;
  enforce(exchange, await checkRateLimit(principal, ctx));
  requireCredential(principal, route.auth);
  if (principal.kind !== PrincipalKind.OWNER || !route.path.startsWith('/projects/:')) return;
  const projectId = String(matched.params.id);
  const member = await enterProject(ctx, principal, route, projectId);
  exchange.principal = route.ownerActsAsKey ? await actInProject(ctx, member, projectId, req.headers) : member;
}

/** Counts a request without a valid credential. @throws AppError RATE_LIMIT */
export async function limitByAddress(exchange: Exchange<Answered>): Promise<void> {
  const { ctx, req } = exchange;
  enforce(exchange, await checkAnonymousRateLimit(clientAddress(req, ctx.config.http.trustProxyHops), ctx));
}

function enforce(exchange: Exchange<Answered>, outcome: RateOutcome): void {
  exchange.addHeaders(outcome.headers);
  if (!outcome.ok) throw rateLimitError(outcome);
}
