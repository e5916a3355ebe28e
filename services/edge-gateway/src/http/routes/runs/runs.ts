import type { IncomingHttpHeaders } from 'node:http';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  createRunBody,
  createRunResponse,
  listRunStepsQuery,
  listRunStepsResponse,
  listRunsQuery,
  listRunsResponse,
  listRunTasksResponse,
  runEventSchema,
  runEventsQuery,
  runSnapshotSchema,
} from '@tollgate/api/runs';
import { nextCursor } from '@tollgate/api/values';
import type { StreamRunEventsResponse } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { z } from 'zod';
import type { Context } from '../../../context.js';
import { readMembers } from '../../../domain/json-members.js';
import { chooseStreamFormat } from '../../answer/accept.js';
import { readIdempotencyKey } from '../../exchange/idempotency-key.js';
import { defineRoute, type EventStreamResult, type StreamEvent } from '../../exchange/route.js';
import { refuseUnknownModels } from '../workflows/unknown-models.js';
import { parsed, snapshotJson, stepJson, summaryJson } from './run-json.js';

export const runParams = z.object({ id: z.string() });

const NONE = new Uint8Array(0);

/**
 * Forwards the bytes of the spec and the input, which the engine parses. The engine stores the idempotency key with the
 * run; header and option share one namespace.
 */
export const createRun = defineRoute({
  method: 'POST',
  path: '/runs',
  tag: 'Runs',
  summary: 'Start a workflow run',
  operationId: 'createRun',
  description:
    'Send a spec, or the hash of a plan that the project has compiled before. The answer returns at once; follow the run by its events.',
  auth: ['secret_key', 'customer'],
  body: createRunBody,
  bodyClass: 'documents',
  success: { status: 200, schema: createRunResponse },
  refusals: [409],
  forwardsIdempotencyKey: 'or option',
  async handler({ body, rawBody, headers, call }, ctx) {
    const { spec = NONE, input = NONE } = readMembers(rawBody, ['spec', 'input']);
    requireKnownModel(ctx, body.model_override);
    await refuseUnknownModels(ctx, { value: body.spec, json: spec }, call);
    const run = await ctx.clients.workflow.createRun(
      {
        specJson: spec,
        planHash: body.plan_hash ?? '',
        inputJson: input,
        sessionId: body.session_id?.toLowerCase() ?? '',
        modelOverride: body.model_override ?? '',
        idempotencyKey: toRunKey(headers, body.options?.idempotency_key),
      },
      call,
    );
    return { body: { run_id: run.runId, status: run.status, plan_hash: run.planHash } };
  },
});

function requireKnownModel({ catalog }: Pick<Context, 'catalog'>, model: string | undefined): void {
  if (model === undefined || catalog.find(model)) return;
  const message = `unknown model ${model}`;
  throw new AppError('VALIDATION_ERROR', `model_override: ${message}`, {
    fields: [{ field: 'model_override', message }],
  });
}

function toRunKey(headers: IncomingHttpHeaders, option: string | undefined): string {
  const header = readIdempotencyKey(headers);
  if (header !== undefined && option !== undefined && header !== option) {
    throw new AppError('INVALID_INPUT', 'Idempotency-Key and options.idempotency_key differ');
  }
  return header ?? option ?? '';
}

export const listRuns = defineRoute({
  method: 'GET',
  path: '/runs',
  tag: 'Runs',
  summary: 'List runs, newest first',
  operationId: 'listRuns',
  description:
    '`status` selects runs of one status, `customer_id` those of one customer, `agent` those with a node that runs the agent ' +
    '(a slug; runs that were started before agents were recorded are not among them). `from` and `to` bound their start.',
  auth: ['secret_key', 'customer'],
  query: listRunsQuery,
  success: { status: 200, schema: listRunsResponse },
  async handler({ query, call }, ctx) {
    const { limit, offset, status = '', customer_id: customerId = '' } = query;
    const { agent = '', from, to } = query;
    if (from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to)) {
      const message = 'must be before to';
      throw new AppError('VALIDATION_ERROR', `from: ${message}`, { fields: [{ field: 'from', message }] });
    }
    const range = { startedFrom: toTimestamp(from), startedBefore: toTimestamp(to) };
    const page = await ctx.clients.workflow.listRuns({ status, customerId, agent, ...range, limit, offset }, call);
    return { body: { runs: page.runs.map(summaryJson), ...nextCursor(offset, page.runs.length, page.hasMore) } };
  },
});

function toTimestamp(moment: string | undefined) {
  return moment === undefined ? undefined : timestampFromDate(new Date(moment));
}

export const getRun = defineRoute({
  method: 'GET',
  path: '/runs/:id',
  tag: 'Runs',
  summary: 'Get a snapshot of a run',
  operationId: 'getRun',
  description: 'Has the status and output of every node, and the cost so far.',
  auth: ['secret_key', 'customer'],
  params: runParams,
  success: { status: 200, schema: runSnapshotSchema },
  async handler({ params, call }, ctx) {
    const { run } = await ctx.clients.workflow.getRun({ runId: params.id.toLowerCase() }, call);
    return { body: snapshotJson(run) };
  },
});

export const cancelRun = defineRoute({
  method: 'POST',
  path: '/runs/:id/cancel',
  tag: 'Runs',
  summary: 'Cancel a run',
  operationId: 'cancelRun',
  description: 'Nodes that run are stopped; what they have used is charged. A run that has ended stays as it is.',
  auth: ['secret_key', 'customer'],
  params: runParams,
  success: { status: 200, schema: runSnapshotSchema },
  refusals: [409],
  async handler({ params, call }, ctx) {
    const { run } = await ctx.clients.workflow.cancelRun({ runId: params.id.toLowerCase() }, call);
    return { body: snapshotJson(run) };
  },
});

export const listRunSteps = defineRoute({
  method: 'GET',
  path: '/runs/:id/steps',
  tag: 'Runs',
  summary: 'List the model calls of a run with their requests, answers and tools',
  operationId: 'listRunSteps',
  description: 'For debugging and audits. Retried attempts are listed too.',
  auth: ['secret_key', 'customer'],
  params: runParams,
  query: listRunStepsQuery,
  success: { status: 200, schema: listRunStepsResponse },
  async handler({ params, query, call }, ctx) {
    const { limit, offset } = query;
    const page = await ctx.clients.workflow.listRunSteps({ runId: params.id.toLowerCase(), limit, offset }, call);
    return { body: { steps: page.steps.map(stepJson), ...nextCursor(offset, page.steps.length, page.hasMore) } };
  },
});

export const listRunTasks = defineRoute({
  method: 'GET',
  path: '/runs/:id/tasks',
  tag: 'Runs',
  summary: 'List the tasks of a run',
  operationId: 'listRunTasks',
  description: 'The task list that the run’s model keeps with its task tools.',
  auth: ['secret_key', 'customer'],
  params: runParams,
  success: { status: 200, schema: listRunTasksResponse },
  async handler({ params, call }, ctx) {
    const { tasksJson } = await ctx.clients.workflow.listRunTasks({ runId: params.id.toLowerCase() }, call);
    return { body: { tasks: parsed(tasksJson) } };
  },
});

/** Bounds one response; the reader reconnects with its position. */
const TIMEOUT_MS = 60 * 60_000;

export const streamRunEvents = defineRoute({
  method: 'GET',
  path: '/runs/:id/events',
  tag: 'Runs',
  summary: 'Stream the event log of a run: stored events, then new ones',
  operationId: 'streamRunEvents',
  description:
    'Answers NDJSON, or server-sent events if the `Accept` header asks for them. Reconnect with `after_seq`, or with the header `Last-Event-ID`. `wait=false` ends the answer after the events that are stored now. An `EventSource` that has read all of a run that has ended gets 204.',
  auth: ['secret_key', 'customer'],
  params: runParams,
  query: runEventsQuery,
  success: { status: 200, schema: runEventSchema, contentType: 'application/x-ndjson' },
  alsoAnswers: [{ status: 200, schema: runEventSchema, contentType: 'text/event-stream' }, { status: 204 }],
  timeoutMs: TIMEOUT_MS,
  async handler({ params, query, headers, call }, ctx) {
    const from = {
      runId: params.id.toLowerCase(),
      afterSeq: Math.max(query.after_seq, lastEventId(headers['last-event-id'])),
      wait: query.wait,
      limit: query.limit ?? 0,
    };
    return runEventStream(ctx, from, headers, call);
  },
});

/** A reconnecting EventSource repeats its URL and sends its position in a header; the later position wins. */
function lastEventId(header: string | string[] | undefined): number {
  return typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) : 0;
}

interface RunEventsPosition {
  runId: string;
  afterSeq: number;
  wait: boolean;
  /** 0 = no limit. */
  limit: number;
}

/**
 * Streams the event log of a run as NDJSON, or as SSE when the client accepts it. A browser's EventSource connects again after the last
 * event until it gets 204.
 */
export async function runEventStream(
  ctx: Pick<Context, 'clients'>,
  from: RunEventsPosition,
  headers: IncomingHttpHeaders,
  call: Call,
): Promise<EventStreamResult | { status: 204 }> {
  const pages = ctx.clients.workflow.streamRunEvents(from, call);
  const iterator = pages[Symbol.asyncIterator]();
  // Reads the first page before responding, so that an unreadable run is still a plain error.
  const first = await iterator.next();
  const format = chooseStreamFormat(headers.accept) ?? 'ndjson';
  if (from.wait && first.done && format === 'sse') return { status: 204 };
  return { format, ndjsonType: 'application/x-ndjson', events: toStreamEvents(first, iterator) };
}

async function* toStreamEvents(
  first: IteratorResult<StreamRunEventsResponse>,
  rest: AsyncIterator<StreamRunEventsResponse>,
): AsyncGenerator<StreamEvent> {
  try {
    for (let page = first; !page.done; page = await rest.next()) {
      for (const event of page.value.events) yield { json: event.data, id: String(event.seq) };
    }
  } finally {
    await rest.return?.();
  }
}
