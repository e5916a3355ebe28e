import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { isAppError } from '@tollgate/errors';
import { type Call, startCall } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { type RenderedError, renderError } from '../answer/render-error.js';
import { authenticate } from '../exchange/authenticate.js';
import { clientAddress } from '../exchange/client-address.js';
import { idempotencyKeyOf } from '../exchange/idempotency-key.js';
import { parseJsonObject } from '../exchange/json-body.js';
import { actInProject } from '../exchange/project-scope.js';
import { refuseUnknownQuery } from '../exchange/query.js';
import { checkAnonymousRateLimit, checkRateLimit, type RateOutcome, rateLimitError } from '../exchange/rate-limit.js';
import { readBody } from '../exchange/read-body.js';
import { requireCredential } from '../exchange/require-credential.js';
import { validate } from '../exchange/validate.js';
import { cacheWish } from './cache-header.js';
import { flat, HotExchange } from './hot-exchange.js';
import type { HotRoute } from './hot-route.js';
import { runTurn } from './run-turn.js';
import { runTurnOnce } from './run-turn-once.js';

/** The service's own deadline for a whole turn; client libraries of the vendors wait as long. */
const TURN_TIMEOUT_MS = 600_000;
const SPENDERS = ['secret_key', 'customer'] as const;
/** Of the endpoints' twins under `/projects/:id/…`. */
const OWNERS = ['owner'] as const;
const traceparent = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * One request of a hot route: identity, limit, body, admission, dispatch, answer. `projectId` is set when the path names
 * a project, in which an owner's session acts. Never rejects.
 */
export async function serveHot(
  route: HotRoute,
  ctx: Context,
  req: IncomingMessage,
  res: ServerResponse,
  projectId?: string,
): Promise<void> {
  const exchange = new HotExchange(route, ctx, req, res);
  try {
    const principal = await identify(exchange, projectId);
    refuseUnknownQuery(route, queryNames(req.url!));
    const rawBody = await readBody(ctx, req, res, 'generating', principal);
    const body = parseJsonObject(rawBody);
    const turn = { ...route.read(validate(route.body, body), req.headers), usesCache: cacheWish(req.headers) };
    const call = callOf(exchange, principal);
    const key = idempotencyKeyOf(req.headers);
    if (key === undefined) {
      exchange.abortWhenClientLeaves(call);
      await runTurn(exchange, turn, rawBody, call);
    } else {
      await runTurnOnce(exchange, key, body, turn, rawBody, call);
    }
  } catch (error) {
    answerError(exchange, error);
  }
}

/** Every outcome has counted against one limit. */
async function identify(exchange: HotExchange, projectId: string | undefined): Promise<Principal> {
  const { ctx, req, route } = exchange;
  let principal: Principal;
  try {
    principal = await authenticate(req.headers, ctx, route);
  } catch (error) {
    enforce(exchange, await checkAnonymousRateLimit(clientAddress(req, ctx.config.http.trustProxyHops), ctx));
    throw error;
  }
  exchange.principal = principal;
  enforce(exchange, await checkRateLimit(principal, ctx));
  requireCredential(principal, projectId === undefined ? SPENDERS : OWNERS);
  if (projectId !== undefined) exchange.principal = await actInProject(ctx, principal, projectId, req.headers);
  return exchange.principal;
}

function queryNames(url: string): Iterable<string> {
  const start = url.indexOf('?');
  return start === -1 ? [] : new URLSearchParams(url.slice(start + 1)).keys();
}

function enforce(exchange: HotExchange, outcome: RateOutcome): void {
  exchange.addRate(outcome);
  if (!outcome.ok) throw rateLimitError(outcome);
}

function callOf({ ids, req }: HotExchange, principal: Principal): Call {
  const trace = req.headers.traceparent;
  return startCall({
    requestId: ids.requestId,
    principal,
    timeoutMs: TURN_TIMEOUT_MS,
    traceparent: typeof trace === 'string' && traceparent.test(trace) ? trace : undefined,
  });
}

function answerError(exchange: HotExchange, error: unknown): void {
  const { ctx, req, res, ids, route } = exchange;
  exchange.done();
  if (res.destroyed) return;
  const log = { err: error, request_id: ids.requestId, path: route.path };
  if (!isAppError(error) || error.code === 'INTERNAL_ERROR') ctx.logger.error(log, 'request failed');
  else ctx.logger.debug(log, 'request refused');
  const { status, headers, body } = render(exchange, error);
  const list = flat(headers);
  // What is left of a body that nobody will read ends with the connection.
  if (!req.complete) list.push('Connection', 'close');
  exchange.write(status, list, body);
}

export function render({ route, ids, audience }: HotExchange, error: unknown): RenderedError {
  return renderError(error, route.errorShape, ids.requestId, { audience });
}
