import type { IncomingMessage } from 'node:http';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type AppError, asAppError, isAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { yieldLoop } from '@tollgate/runtime';
import { LARGE_JSON_BYTES } from '@tollgate/runtime/threads';
import { authenticate, requireCredential } from '../../auth/authenticate.js';
import { actInProject, enterProject } from '../../auth/project-scope.js';
import { type BodyDigest, bodyDigest } from '../../domain/idempotency.js';
import {
  checkAnonymousRateLimit,
  checkRateLimit,
  clientAddress,
  type RateOutcome,
  rateLimitError,
} from '../../limits/rate-limit.js';
import { writeResult } from '../answer/write-result.js';
import { auditRequest } from './audit.js';
import { comparableForm, type Form, readForm } from './body/form-body.js';
import { BodyShare, chooseBodyClass, parseJsonObject, parseLargeJsonObject, readBody } from './body/read-body.js';
import { type Answered, clientLeft, type Exchange } from './exchange.js';
import { findOwnKey, serveOnce } from './idempotency-key.js';
import type { BytesRoute, Endpoint, Route, RouteInput } from './route.js';
import { refuseKeyInUrl, refuseNul, refuseUnknownQuery, validate, validateAll } from './validate.js';

type AnyInput = RouteInput<unknown, unknown, unknown>;

const NO_BODY = Buffer.alloc(0);

/**
 * Serves one request of one endpoint: identify → limit → body → idempotency → handle → answer. Both kinds of endpoints take
 * these steps: a `Route` gets its parsed input, a `BytesRoute` gets the bytes. Never rejects.
 */
export async function serve(exchange: Exchange<Endpoint>): Promise<void> {
  const { route, ctx, req, matched } = exchange;
  ctx.requestMetrics.follow(exchange);
  let share: BodyShare | undefined;
  try {
    await identify(exchange);
    share = new BodyShare(ctx.bodies, exchange.principal);
    const bytes = hasBody(req) && !route.streamsFile ? await readBody(req, chooseBodyClass(route), share) : NO_BODY;
    exchange.record.requestBytes = bytes.length;
    refuseNul(matched);
    refuseUnknownQuery(route, matched.query);
    const call = exchange.startCall(route.timeoutMs);
    const input = takesBytes(route)
      ? await readRequest(exchange, route, bytes)
      : await readInput(exchange, bytes, call);
    const key = findOwnKey(route, req.headers);
    if (key === undefined || !exchange.principal) {
      exchange.abortWhenClientLeaves(call);
      await handle(exchange, input, bytes, call);
    } else {
      if (bytes.length > LARGE_JSON_BYTES) await yieldLoop();
      const digest = digestBody((input as AnyInput).form, bytes);
      await serveOnce(exchange, { key, digest, input }, call, () => handle(exchange, input, bytes, call));
    }
  } catch (error) {
    answerError(exchange, error);
  } finally {
    share?.giveBack();
    exchange.served();
  }
}

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
async function limitByAddress(exchange: Exchange<Answered>): Promise<void> {
  const { ctx, req } = exchange;
  enforce(exchange, await checkAnonymousRateLimit(clientAddress(req, ctx.config.http.trustProxyHops), ctx));
}

function enforce(exchange: Exchange<Answered>, outcome: RateOutcome): void {
  exchange.reply.addHeaders(outcome.headers);
  if (!outcome.ok) throw rateLimitError(outcome);
}

/** Answers a request that belongs to no endpoint, after counting it against its address. Never rejects. */
export async function refuse(exchange: Exchange<Answered>, refusal: AppError): Promise<void> {
  const { requestMetrics } = exchange.ctx;
  requestMetrics.followUnrouted(exchange);
  let error: unknown = refusal;
  try {
    await limitByAddress(exchange);
  } catch (limited) {
    error = limited;
  }
  requestMetrics.refused(error);
  if (!exchange.req.complete) exchange.req.resume();
  exchange.reply.writeError(exchange.reply.renderError(error));
  exchange.served();
}

function hasBody({ method }: IncomingMessage): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function takesBytes(route: Endpoint): route is BytesRoute {
  return 'turn' in route;
}

async function readRequest(exchange: Exchange<Endpoint>, route: BytesRoute, bytes: Buffer): Promise<unknown> {
  const { req, matched } = exchange;
  if (bytes.length <= LARGE_JSON_BYTES)
    return route.read(validate(route.body, parseJsonObject(bytes)), req.headers, matched);
  const sent = await parseSent(exchange, bytes);
  const body = validate(route.body, sent);
  await yieldLoop();
  return route.read(body, req.headers, matched);
}

/** Parses a large body, unless the client leaves. */
async function parseSent({ ctx, principal, res }: Exchange<Endpoint>, bytes: Buffer): Promise<Record<string, unknown>> {
  const left = new AbortController();
  const leave = (): void => left.abort(clientLeft());
  res.once('close', leave);
  try {
    if (res.destroyed) throw clientLeft();
    return await parseLargeJsonObject(bytes, ctx.jsonThread, principal?.accountId ?? 'anonymous', left.signal);
  } finally {
    res.off('close', leave);
  }
}

async function readInput(exchange: Exchange<Endpoint>, rawBody: Buffer, call: Call): Promise<AnyInput> {
  const { route, ctx, req, matched, ids, record } = exchange;
  const isStreamed = route.streamsFile !== undefined;
  const form = route.takesForm && !isStreamed ? await readForm(req.headers, rawBody, route.formFiles?.max) : undefined;
  const isRead = route.body !== undefined && !isStreamed;
  const isLarge = rawBody.length > LARGE_JSON_BYTES;
  if (isLarge && form) await yieldLoop();
  const isLargeJson = isLarge && isRead && !form;
  const sent = isLargeJson ? await parseSent(exchange, rawBody) : isRead && sentBody(rawBody, form);
  const { params, query, body } = validateAll({
    params: { schema: route.params, value: matched.params },
    query: { schema: route.query, value: matched.query },
    body: { schema: isStreamed ? undefined : route.body, value: sent },
  });
  const address = clientAddress(req, ctx.config.http.trustProxyHops);
  // Set on every route that needs a principal; the other handlers do not read it.
  const principal = exchange.principal!;
  return {
    params,
    query,
    body,
    form,
    rawBody,
    incoming: req,
    headers: req.headers,
    principal,
    call,
    address,
    ids,
    record,
  };
}

function sentBody(rawBody: Buffer, form: Form | undefined): Record<string, unknown> {
  if (form) return Object.fromEntries(form.fields);
  return rawBody.length === 0 ? {} : parseJsonObject(rawBody);
}

/** Digests what the client sent, before schemas dropped or defaulted anything. */
function digestBody(form: Form | undefined, bytes: Buffer): BodyDigest {
  if (!form) return bodyDigest(bytes, () => sentBody(bytes, undefined));
  const comparable = comparableForm(form);
  return bodyDigest(Buffer.from(JSON.stringify(comparable)), () => comparable);
}

/** Runs the handler and answers. Nothing has been written when it rejects, except the start of a stream. */
function handle(exchange: Exchange<Endpoint>, input: unknown, bytes: Buffer, call: Call): Promise<void> {
  const { route } = exchange;
  if (takesBytes(route)) return route.turn(exchange as Exchange<BytesRoute>, input, bytes, call);
  return handleInput(exchange as Exchange<Route>, input as AnyInput);
}

async function handleInput(exchange: Exchange<Route>, input: AnyInput): Promise<void> {
  const { route, ctx } = exchange;
  const result = await route.handler(input, ctx);
  await auditRequest(exchange, input, result);
  await writeResult(exchange, result, route.success.status);
}

/** Turns an error into the answer, or into the end of a stream that has started. */
function answerError(exchange: Exchange<Endpoint>, error: unknown): void {
  const { ctx, req, res, ids, route, reply } = exchange;
  ctx.requestMetrics.refused(error);
  exchange.done();
  exchange.record.errorCode = asAppError(error).code;
  // The texts of other errors quote what the client sent; their codes are in the line of the request.
  if (!isAppError(error) || error.code === 'INTERNAL_ERROR') {
    const fields = { err: error, request_id: ids.requestId, method: route.method, path: route.path };
    ctx.logger.error(fields, 'request failed');
  }
  if (res.headersSent) {
    reply.breakOff(asAppError(error));
    return;
  }
  const rendered = reply.renderError(error);
  // The unread rest of a body ends with the connection.
  if (!req.complete) reply.addHeaders({ Connection: 'close' });
  reply.writeError(rendered);
}
