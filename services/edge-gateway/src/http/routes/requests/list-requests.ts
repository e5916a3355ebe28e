import { requestListQuery, requestListResponse } from '@tollgate/api/reports';
import { requireProject } from '../../../auth/project-scope.js';
import { toCursor } from '../../../domain/reports/list-cursor.js';
import { toReportRange } from '../../../domain/reports/report-range.js';
import { readBounded } from '../../../store/requests/bounded-read.js';
import { listRequests as readRequests } from '../../../store/requests/read-requests.js';
import { defineRoute } from '../../exchange/route.js';
import { requirePlace } from '../require-place.js';
import { projectParams } from './params.js';
import { requestJson } from './request-json.js';
import { toFilter } from './to-filter.js';

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
