import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, isAppError } from '@tollgate/errors';
import { startCall } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { type BodyDigest, bodyDigest } from '../../domain/idempotency.js';
import { takenOver } from '../../operations/begin-idempotent.js';
import { auditActor, recordAudit } from '../../operations/record-audit.js';
import type { KeptAnswer } from '../../store/idempotency-records.js';
import { renderError } from '../answer/render-error.js';
import { isCompatiblePath, VENDOR_REQUEST_ID_HEADERS } from '../answer/vendor.js';
import { jsonAnswer, writeAnswer, writeStream } from '../answer/write-answer.js';
import { authenticate } from './authenticate.js';
import { bodyClassOf } from './body-limits.js';
import { clientAddress } from './client-address.js';
import { comparableForm, type Form, readForm } from './form-body.js';
import { idempotencyKeyOf, keptRefusal, startIdempotent } from './idempotency-key.js';
import { parseJsonObject } from './json-body.js';
import { actInProject } from './project-scope.js';
import { refuseUnknownQuery } from './query.js';
import { checkAnonymousRateLimit, checkRateLimit, type RateOutcome, rateLimitError } from './rate-limit.js';
import { readBody } from './read-body.js';
import { REQUEST_ID_HEADER, type RequestIds, requestIdsOf } from './request-id.js';
import { requireCredential } from './require-credential.js';
import type { JsonResult, Route, RouteInput, StreamResult } from './route.js';
import { validateAll } from './validate.js';

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
  ids: RequestIds;
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
  const ids = requestIdsOf(req.headers);
  const requestId = ids.requestId;
  res.setHeader(REQUEST_ID_HEADER, requestId);
  if (isCompatiblePath(route.path)) for (const name of VENDOR_REQUEST_ID_HEADERS) res.setHeader(name, requestId);
  const exchange: Exchange = { route, ctx, req, res, matched, requestId, ids };
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
async function identify({ route, ctx, req, res, matched }: Exchange): Promise<Principal | undefined> {
  const anonymous = (): Promise<RateOutcome> =>
    checkAnonymousRateLimit(clientAddress(req, ctx.config.http.trustProxyHops), ctx);
  if (route.auth === 'none') {
    enforce(res, await anonymous());
    return undefined;
  }
  let principal: Principal;
  try {
    principal = await authenticate(req.headers, ctx, route);
  } catch (error) {
    enforce(res, await anonymous());
    throw error;
  }
  enforce(res, await checkRateLimit(principal, ctx));
  requireCredential(principal, route.auth);
  if (!route.ownerActsAsKey || principal.kind !== PrincipalKind.OWNER) return principal;
  return actInProject(ctx, principal, (matched.params as { id: string }).id, req.headers);
}

/** Sets the limit's headers. @throws AppError RATE_LIMIT */
export function enforce(res: ServerResponse, outcome: RateOutcome): void {
  for (const [name, value] of Object.entries(outcome.headers)) res.setHeader(name, value);
  if (!outcome.ok) throw rateLimitError(outcome);
}

async function readInput(exchange: Exchange, principal: Principal | undefined): Promise<AnyInput> {
  const { route, ctx, req, res, matched, requestId, ids } = exchange;
  const hasBody = req.method !== 'GET' && req.method !== 'HEAD';
  const rawBody = hasBody ? await readBody(ctx, req, res, bodyClassOf(route), principal) : Buffer.alloc(0);
  refuseNul(matched);
  refuseUnknownQuery(route, Object.keys(matched.query as object));
  const form = route.takesForm ? await readForm(req.headers, rawBody) : undefined;
  const { params, query, body } = validateAll({
    params: { schema: route.params, value: matched.params },
    query: { schema: route.query, value: matched.query },
    body: { schema: route.body, value: route.body && sentBody(rawBody, form) },
  });
  const trace = req.headers.traceparent;
  const call = startCall({
    requestId,
    ...(principal && { principal }),
    timeoutMs: route.timeoutMs ?? TIMEOUT_MS,
    traceparent: typeof trace === 'string' && traceparent.test(trace) ? trace : undefined,
    // With a key the client is expected to ask again: the first attempt finishes, so that the repeat finds its answer.
    signal: keyOf(exchange) === undefined ? goneSignal(res) : undefined,
  });
  const address = clientAddress(req, ctx.config.http.trustProxyHops);
  // Routes that need a principal have one by now; the others do not look at it.
  const known = { headers: req.headers, principal: principal as Principal, call, address, ids };
  return { params, query, body, form, rawBody, ...known };
}

/** No database takes this character, and nothing is named by it. */
function refuseNul({ params, query }: Matched): void {
  if (!JSON.stringify([params, query]).includes('\\u0000')) return;
  throw new AppError('INVALID_INPUT', 'the address must not contain NUL');
}

function sentBody(rawBody: Buffer, form: Form | undefined): Record<string, unknown> {
  if (form) return Object.fromEntries(form.fields);
  return rawBody.length === 0 ? {} : parseJsonObject(rawBody);
}

function keyOf({ route, req }: Exchange): string | undefined {
  return route.idempotent ? idempotencyKeyOf(req.headers) : undefined;
}

async function run(exchange: Exchange, input: AnyInput): Promise<void> {
  const { ctx, res, req, matched } = exchange;
  const key = keyOf(exchange);
  if (key === undefined || !input.principal) {
    return answer(exchange, await handle(exchange, input));
  }
  const path = `${req.method} ${matched.path}`;
  const { holdIds } = exchange.route;
  const request = {
    ...{ principal: input.principal, path, key, digest: digestOf(input), ids: exchange.ids },
    holdIds: holdIds && ((attemptId: string) => holdIds(attemptId, input.body)),
  };
  const start = await startIdempotent(ctx, request, input.call);
  if (start.kind === 'replay') {
    res.setHeader('Idempotent-Replayed', 'true');
    return writeAnswer(res, start.answer);
  }
  let kept: KeptAnswer;
  try {
    kept = await produceKept(exchange, input);
  } catch (error) {
    await start.end(undefined);
    throw error;
  }
  if (!(await start.end(kept)) && !res.headersSent) throw takenOver();
  writeAnswer(res, kept);
}

async function handle({ route, ctx, requestId }: Exchange, input: AnyInput): Promise<JsonResult | StreamResult> {
  const result = await route.handler(input, ctx);
  if (route.audit !== undefined) {
    const { accountId } = input.principal;
    const projectId = auditProject(route, input);
    const subjectId = auditSubject(route, input.params, result);
    const { address } = input;
    await recordAudit(ctx, {
      ...{ accountId, projectId, action: route.audit, subjectId, address, requestId },
      ...auditActor(input.principal),
    });
  }
  return result;
}

function auditProject(route: Route, { params, principal }: AnyInput): string {
  return route.path.startsWith('/projects/:id') ? String((params as { id: unknown }).id) : principal.projectId;
}

/** What was made has its id in the answer; anything else is named by the last parameter of the path. */
function auditSubject(route: Route, params: unknown, result: JsonResult | StreamResult): string | undefined {
  const named = route.success.status === 201 && 'body' in result ? Object.values(result.body as object)[0] : undefined;
  const id = (named as { id?: unknown } | undefined)?.id ?? Object.values((params ?? {}) as object).at(-1);
  return typeof id === 'string' ? id : undefined;
}

/** What the client sent, before schemas dropped or defaulted anything. */
function digestOf({ form, rawBody }: AnyInput): BodyDigest {
  if (!form) return bodyDigest(rawBody, () => sentBody(rawBody, undefined));
  const comparable = comparableForm(form);
  return bodyDigest(Buffer.from(JSON.stringify(comparable)), () => comparable);
}

/** Returns the answer of a handler; a refusal that a repeat would get again is one too. A stream is out when this returns. */
async function produceKept(exchange: Exchange, input: AnyInput): Promise<KeptAnswer> {
  const { route, ctx, res } = exchange;
  try {
    const result = await handle(exchange, input);
    if (!('chunks' in result)) return jsonAnswer(result, route.success.status);
    const chunks: Buffer[] = [];
    await writeStream(res, result, ctx.openStreams, (chunk) => chunks.push(Buffer.from(chunk)));
    return { status: result.status ?? 200, headers: result.headers, body: Buffer.concat(chunks) };
  } catch (error) {
    const refusal = keptRefusal(error, (it) => render(exchange, it, input.principal));
    if (!refusal || res.headersSent) throw error;
    return refusal;
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

function render({ route, req, requestId }: Exchange, error: unknown, principal: Principal | undefined) {
  const audience = principal?.kind === PrincipalKind.CUSTOMER ? 'customer' : 'project';
  const { errorShape: shape = 'native' } = route;
  return renderError(error, typeof shape === 'string' ? shape : shape(req.headers), requestId, { audience });
}

/** Aborted when the client goes away before it has its answer. */
function goneSignal(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort(new AppError('RELAY_TIMEOUT', 'the client went away'));
  });
  return controller.signal;
}
