import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, isAppError } from '@tollgate/errors';
import { startCall } from '@tollgate/rpc';
import type { Context } from '../context.js';
import type { KeptAnswer } from '../store/idempotency-records.js';
import { authenticate } from './authenticate.js';
import { clientAddress } from './client-address.js';
import { idempotencyKeyOf, startIdempotent } from './idempotency-key.js';
import { parseJsonObject, readBody } from './json-body.js';
import { checkAnonymousRateLimit, checkRateLimit, type RateOutcome, rateLimitError } from './rate-limit.js';
import { renderError } from './render-error.js';
import { REQUEST_ID_HEADER, requestIdsOf } from './request-id.js';
import type { Credential, JsonResult, Route, RouteInput, StreamResult } from './route.js';
import { validate } from './validate.js';
import { jsonAnswer, writeAnswer, writeStream } from './write-answer.js';

const TIMEOUT_MS = 30_000;
const traceparent = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** What the router found out about the request. */
export interface Matched {
  params: unknown;
  query: unknown;
  /** Decoded path without the query. */
  path: string;
}

interface Exchange {
  route: Route;
  ctx: Context;
  req: IncomingMessage;
  res: ServerResponse;
  matched: Matched;
  requestId: string;
}

type AnyInput = RouteInput<unknown, unknown, unknown>;

/** One request of one route: identity, limits, body, validation, idempotency, handler, answer. Never rejects. */
export async function serveRoute(
  route: Route,
  ctx: Context,
  req: IncomingMessage,
  res: ServerResponse,
  matched: Matched,
): Promise<void> {
  const requestId = requestIdsOf(req.headers).public;
  res.setHeader(REQUEST_ID_HEADER, requestId);
  const exchange: Exchange = { route, ctx, req, res, matched, requestId };
  let principal: Principal | undefined;
  try {
    principal = await identify(exchange);
    const input = await readInput(exchange, principal);
    await run(exchange, input);
  } catch (error) {
    answerError(exchange, error, principal);
  }
}

/** The principal, or undefined on routes that need none. Every outcome has counted against one limit. */
async function identify({ route, ctx, req, res }: Exchange): Promise<Principal | undefined> {
  const anonymous = (): Promise<RateOutcome> =>
    checkAnonymousRateLimit(clientAddress(req, ctx.config.http.trustProxyHops), ctx);
  if (route.auth === 'none') {
    enforce(res, await anonymous());
    return undefined;
  }
  let principal: Principal;
  try {
    principal = await authenticate(req.headers, ctx);
  } catch (error) {
    enforce(res, await anonymous());
    throw error;
  }
  enforce(res, await checkRateLimit(principal, ctx));
  const credential = credentialOf(principal);
  if (!route.auth.includes(credential)) {
    throw new AppError('FORBIDDEN', `this endpoint does not accept a ${credential.replace('_', ' ')}`);
  }
  return principal;
}

/** Sets the limit's headers. @throws AppError RATE_LIMIT */
export function enforce(res: ServerResponse, outcome: RateOutcome): void {
  for (const [name, value] of Object.entries(outcome.headers)) res.setHeader(name, value);
  if (!outcome.ok) throw rateLimitError(outcome);
}

async function readInput(exchange: Exchange, principal: Principal | undefined): Promise<AnyInput> {
  const { route, req, res, matched, requestId } = exchange;
  const rawBody = req.method === 'GET' || req.method === 'HEAD' ? Buffer.alloc(0) : await readBody(req);
  const params = route.params ? validate(route.params, matched.params) : undefined;
  const query = route.query ? validate(route.query, matched.query) : undefined;
  const body = route.body ? validate(route.body, rawBody.length === 0 ? {} : parseJsonObject(rawBody)) : undefined;
  const trace = req.headers.traceparent;
  const call = startCall({
    requestId,
    ...(principal && { principal }),
    timeoutMs: route.timeoutMs ?? TIMEOUT_MS,
    traceparent: typeof trace === 'string' && traceparent.test(trace) ? trace : undefined,
    // With a key the client is expected to ask again: the first attempt finishes, so that the repeat finds its answer.
    signal: keyOf(exchange) === undefined ? goneSignal(res) : undefined,
  });
  const address = clientAddress(req, exchange.ctx.config.http.trustProxyHops);
  // Routes that need a principal have one by now; the others do not look at it.
  return { params, query, body, headers: req.headers, principal: principal as Principal, call, rawBody, address };
}

function keyOf({ route, req }: Exchange): string | undefined {
  return route.idempotent ? idempotencyKeyOf(req.headers) : undefined;
}

async function run(exchange: Exchange, input: AnyInput): Promise<void> {
  const { route, ctx, res, req, matched } = exchange;
  const key = keyOf(exchange);
  if (key === undefined || !input.principal) {
    return answer(exchange, await route.handler(input, ctx));
  }
  const request = { principal: input.principal, path: `${req.method} ${matched.path}`, key, body: bodyOf(input) };
  const start = await startIdempotent(ctx, request, input.call);
  if (start.kind === 'replay') {
    res.setHeader('Idempotent-Replayed', 'true');
    return writeAnswer(res, start.answer);
  }
  let kept: KeptAnswer;
  try {
    kept = await produceKept(exchange, input);
  } catch (error) {
    await start.abandon();
    throw error;
  }
  await start.finish(kept);
  writeAnswer(res, kept);
}

/** What the client sent, before schemas dropped or defaulted anything. */
function bodyOf(input: AnyInput): unknown {
  return input.rawBody.length === 0 ? {} : parseJsonObject(input.rawBody);
}

/** The answer of a handler whose answer is kept: a refusal of the contract is an answer too. A stream is out when this returns. */
async function produceKept(exchange: Exchange, input: AnyInput): Promise<KeptAnswer> {
  const { route, ctx, res } = exchange;
  try {
    const result = await route.handler(input, ctx);
    if (!('chunks' in result)) return jsonAnswer(result, route.success.status);
    const chunks: Buffer[] = [];
    await writeStream(res, result, ctx.openStreams, (chunk) => chunks.push(Buffer.from(chunk)));
    return { status: result.status ?? 200, headers: result.headers, body: Buffer.concat(chunks) };
  } catch (error) {
    if (!isAppError(error) || res.headersSent) throw error;
    const { status, headers, body } = render(exchange, error, input.principal);
    return { status, headers, body: Buffer.from(body) };
  }
}

async function answer({ route, ctx, res }: Exchange, result: JsonResult | StreamResult): Promise<void> {
  if ('chunks' in result) await writeStream(res, result, ctx.openStreams, undefined);
  else writeAnswer(res, jsonAnswer(result, route.success.status));
}

function answerError(exchange: Exchange, error: unknown, principal: Principal | undefined): void {
  const { ctx, req, res, requestId, route } = exchange;
  const log = { err: error, request_id: requestId, method: route.method, path: route.path };
  if (!isAppError(error) || error.code === 'INTERNAL_ERROR') ctx.logger.error(log, 'request failed');
  else ctx.logger.debug(log, 'request refused');
  if (res.headersSent) {
    res.destroy(); // a stream that breaks must not look finished
    return;
  }
  const { status, headers, body } = render(exchange, error, principal);
  // What is left of a body that nobody will read ends with the connection.
  if (!req.complete) res.setHeader('Connection', 'close');
  writeAnswer(res, { status, headers, body: Buffer.from(body) });
}

function render({ route, requestId }: Exchange, error: unknown, principal: Principal | undefined) {
  const audience = principal?.kind === PrincipalKind.CUSTOMER ? 'customer' : 'project';
  return renderError(error, route.errorShape ?? 'native', requestId, { audience });
}

/** Aborted when the client goes away before it has its answer. */
function goneSignal(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort(new AppError('RELAY_TIMEOUT', 'the client went away'));
  });
  return controller.signal;
}

const credentials: Partial<Record<PrincipalKind, Credential>> = {
  [PrincipalKind.SECRET_KEY]: 'secret_key',
  [PrincipalKind.PUBLISHABLE_KEY]: 'publishable_key',
  [PrincipalKind.CUSTOMER]: 'customer',
};

function credentialOf(principal: Principal): Credential {
  return credentials[principal.kind] ?? 'owner';
}
