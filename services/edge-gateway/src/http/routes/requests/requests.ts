import { setTimeout as sleep } from 'node:timers/promises';
import {
  type RequestFilters,
  requestListQuery,
  requestListResponse,
  requestResponse,
  requestSchema,
  requestStreamQuery,
} from '@tollgate/api/reports';
import type { ReadHoldResponse } from '@tollgate/contracts/billing/v1/holds_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, isAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { isUuid } from '@tollgate/runtime/uuid';
import { z } from 'zod';
import { requireProject } from '../../../auth/project-scope.js';
import type { Context } from '../../../context.js';
import { toCursor } from '../../../domain/reports/list-cursor.js';
import { type ReportRange, toReportRange } from '../../../domain/reports/report-range.js';
import type { RequestEntry } from '../../../domain/reports/request-entry.js';
import { readBounded } from '../../../store/requests/bounded-read.js';
import { findRequest, listRequests as readRequests } from '../../../store/requests/read-requests.js';
import type { RequestFilter } from '../../../store/requests/request-filter.js';
import { chooseStreamFormat } from '../../answer/accept.js';
import { defineRoute, type StreamEvent } from '../../exchange/route.js';
import { requirePlace } from '../require-place.js';
import { requestDetailJson, requestJson } from './request-json.js';

export const projectParams = z.object({ id: z.string() });
const requestParams = z.object({ id: z.string(), request_id: z.string() });

const DAYS_MAX = 93;

export const listRequests = defineRoute({
  method: 'GET',
  path: '/projects/:id/requests',
  tag: 'Reports',
  summary: "List a project's model requests, newest first, with outcome, tokens, cost and latency; seconds late",
  auth: ['owner', 'secret_key'],
  params: projectParams,
  query: requestListQuery,
  success: { status: 200, schema: requestListResponse },
  refusals: [404],
  async handler(input, ctx) {
    const { query } = input;
    const { projectId } = await requireProject(ctx, input, input.params.id);
    const filter = {
      ...toFilter(projectId, toReportRange(query, ctx.clock.now(), DAYS_MAX), query),
      errorCode: query.error_code,
      requestId: query.request_id,
      durationMsMin: query.min_duration_ms,
      costMicrocentsMin: query.min_cost_microcents,
      isUncharged: query.uncharged,
    };
    const page = { limit: query.limit + 1, after: query.cursor === undefined ? undefined : requirePlace(query.cursor) };
    const found = await readBounded(ctx.pool, (tx) => readRequests(tx, filter, page));
    const shown = found.slice(0, query.limit);
    const last = shown.at(-1);
    const next = last && found.length > shown.length ? { next_cursor: toCursor(last) } : {};
    return { body: { requests: shown.map(requestJson), ...next } };
  },
});

export const getRequest = defineRoute({
  method: 'GET',
  path: '/projects/:id/requests/:request_id',
  tag: 'Reports',
  summary: 'Get one model request of a project, with its admission, hold, prices and the providers that were asked',
  auth: ['owner', 'secret_key'],
  params: requestParams,
  success: { status: 200, schema: requestResponse },
  async handler(input, ctx) {
    const { params } = input;
    const principal = await requireProject(ctx, input, params.id);
    const { projectId } = principal;
    const found = isUuid(params.request_id) ? await findRequest(ctx.pool, projectId, params.request_id) : undefined;
    if (!found) throw new AppError('NOT_FOUND', 'request not found');
    return { body: { request: requestDetailJson(found, await readHold(ctx, found, principal, input.call)) } };
  },
});

/** Undefined for a refused request, and after the hold's retention. */
async function readHold(
  { clients }: Pick<Context, 'clients'>,
  { id, status }: RequestEntry,
  principal: Principal,
  call: Call,
): Promise<ReadHoldResponse | undefined> {
  if (status === 'refused') return undefined;
  try {
    return await clients.holds.readHold({ holdId: id }, call.with({ principal }));
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** Bounds one answer; the reader reconnects. */
const TIMEOUT_MS = 10 * 60_000;

export const streamRequests = defineRoute({
  method: 'GET',
  operationId: 'streamProjectRequests',
  path: '/projects/:id/requests/live',
  tag: 'Reports',
  summary: "Stream a project's requests as they end: those of the last minute, then, with wait=true, new ones",
  auth: ['owner', 'secret_key'],
  params: projectParams,
  query: requestStreamQuery,
  success: { status: 200, schema: requestSchema, contentType: 'application/x-ndjson' },
  alsoAnswers: [{ status: 200, contentType: 'text/event-stream' }],
  refusals: [404],
  timeoutMs: TIMEOUT_MS,
  async handler(input, ctx) {
    const { query, headers, call } = input;
    const { projectId } = await requireProject(ctx, input, input.params.id);
    const since = ctx.clock.now();
    const range = { from: since, to: since };
    const events = followRequests(ctx, toFilter(projectId, range, query), { wait: query.wait, call });
    return { format: chooseStreamFormat(headers.accept) ?? 'ndjson', ndjsonType: 'application/x-ndjson', events };
  },
});

const POLL_MS = 1_000;
/** A poll shows at most this many requests, the newest: a live view of more is unreadable. */
const SHOWN_MAX = 200;
/** How far the first poll looks back. */
const START_MS = 60_000;
/** A request may be stored this long after its end and is still shown. */
const LATE_MS = 15_000;
/** Clocks of other processes may be ahead. */
const SKEW_MS = 60_000;

/** Yields requests as they end, oldest first, each once. */
async function* followRequests(
  ctx: Pick<Context, 'clock' | 'config' | 'liveViews' | 'pool'>,
  filter: RequestFilter,
  { wait, call }: { wait: boolean; call: Call },
): AsyncGenerator<StreamEvent> {
  const close = ctx.liveViews.open(call.requirePrincipal().accountId);
  const endMs = ctx.clock.elapsed() + ctx.config.liveViewMs;
  const shown = new Map<string, number>();
  try {
    for (let lookBackMs = START_MS; !call.isAborted; lookBackMs = LATE_MS) {
      const nowMs = ctx.clock.nowMs();
      const from = new Date(nowMs - lookBackMs);
      const range = { from, to: new Date(nowMs + SKEW_MS) };
      const found = await readRequests(ctx.pool, { ...filter, ...range }, { limit: SHOWN_MAX });
      for (const [id, atMs] of shown) if (atMs < from.getTime()) shown.delete(id);
      for (const entry of found.filter(({ id }) => !shown.has(id)).reverse()) {
        shown.set(entry.id, entry.at.getTime());
        yield { json: JSON.stringify(requestJson(entry)), id: entry.id };
      }
      const leftMs = endMs - ctx.clock.elapsed();
      if (!wait || leftMs <= 0) return;
      await sleep(Math.min(POLL_MS, leftMs), undefined, { signal: call.signal }).catch(() => undefined);
    }
  } finally {
    close();
  }
}

/** Ids are compared as stored, which is lower case. */
export function toFilter(projectId: string, range: ReportRange, query: RequestFilters): RequestFilter {
  return {
    projectId,
    ...range,
    status: query.status,
    model: query.model,
    customerId: query.customer_id,
    keyId: query.key_id,
    tierCode: query.tier_code,
  };
}
