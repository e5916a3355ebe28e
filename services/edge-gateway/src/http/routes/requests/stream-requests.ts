import { requestSchema, requestStreamQuery } from '@tollgate/api/reports';
import { requireProject } from '../../../auth/project-scope.js';
import { chooseStreamFormat } from '../../answer/accept.js';
import { defineRoute } from '../../exchange/route.js';
import { followRequests } from './follow-requests.js';
import { projectParams } from './params.js';
import { toFilter } from './to-filter.js';

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
