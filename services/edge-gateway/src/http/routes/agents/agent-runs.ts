import { setTimeout as sleep } from 'node:timers/promises';
import {
  agentRunResponse,
  agentTestResponse,
  type ReplayAgentBody,
  type RunAgentBody,
  replayAgentBody,
  runAgentBody,
  runEventSchema,
  type TestAgentBody,
  testAgentBody,
} from '@tollgate/api/runs';
import { AgentRunMode, type AwaitAgentRunResponse } from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import type { RunStep } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import { AppError, isAppError, isErrorCode } from '@tollgate/errors';
import { microcentsToCentsRounded, toJsonNumber } from '@tollgate/money';
import type { Call } from '@tollgate/rpc';
import { elapsed } from '@tollgate/runtime';
import type { z } from 'zod';
import type { Credential } from '../../../auth/authenticate.js';
import { requireProject } from '../../../auth/project-scope.js';
import type { Context } from '../../../context.js';
import { readMembers } from '../../../domain/json-members.js';
import { readIdempotencyKey } from '../../exchange/idempotency-key.js';
import { defineRoute, type Route, type RouteInput, type RouteResult } from '../../exchange/route.js';
import { parsed, stepJson } from '../runs/run-json.js';
import { runEventStream } from '../runs/runs.js';
import { agentParams } from './agents.js';
import { asCustomer } from './as-customer.js';

/** Timeout of a response, which may wait for the longest run. */
export const AGENT_RUN_TIMEOUT_MS = 25 * 60 * 60_000;

interface AgentRunRoute {
  mode: AgentRunMode;
  /** Last segment of the path. */
  action: 'run' | 'test' | 'replay';
  operationId: string;
  summary: string;
  description: string;
  auth: readonly Credential[];
  body: z.ZodType<RunAgentBody | TestAgentBody | ReplayAgentBody>;
  /** Schema of the response without `options.stream`. */
  response: z.ZodType;
}

/** Defines a route that runs an agent and waits for its result or streams its events. */
function agentRunRoute({ mode, action, response, ...route }: AgentRunRoute): Route {
  return defineRoute({
    ...route,
    method: 'POST',
    path: `/projects/:id/agents/:slug/${action}`,
    tag: 'Agents',
    params: agentParams,
    bodyClass: 'documents',
    success: { status: 200, schema: response },
    alsoAnswers: [
      { status: 200, schema: runEventSchema, contentType: 'application/x-ndjson' },
      { status: 200, schema: runEventSchema, contentType: 'text/event-stream' },
    ],
    refusals: [402],
    idempotent: true,
    timeoutMs: AGENT_RUN_TIMEOUT_MS,
    handler: (input, ctx) => runAgentAs(mode, input, ctx),
  });
}

export const runAgent = agentRunRoute({
  mode: AgentRunMode.RUN,
  action: 'run',
  summary: 'Run an agent and return its result, or stream its events with options.stream',
  operationId: 'runAgent',
  description:
    'Waits for the end of the run. The run continues when the client leaves; its events remain readable under its id. `customer_id` names the customer whom a secret key acts for.',
  auth: ['secret_key', 'customer'],
  body: runAgentBody,
  response: agentRunResponse,
});

export const testAgent = agentRunRoute({
  mode: AgentRunMode.TEST,
  action: 'test',
  summary: 'Run an agent with mocked tools',
  operationId: 'testAgent',
  description:
    'Tool calls get the answers in `mock_tools`; with `dry_run`, a call without a mock is an error. Model calls are real and charged.',
  auth: ['secret_key'],
  body: testAgentBody,
  response: agentTestResponse,
});

export const replayAgent = agentRunRoute({
  mode: AgentRunMode.REPLAY,
  action: 'replay',
  summary: 'Rerun an agent with recorded answers and tool results, or with mocked tools',
  operationId: 'replayAgent',
  description: 'With `run_id`, input, model answers and tool results of that run are used again.',
  auth: ['secret_key'],
  body: replayAgentBody,
  response: agentTestResponse,
});

/** How long the engine may be unavailable, for example during a rollout; the run continues on another process. */
const UNAVAILABLE_MS_MAX = 60_000;
const PAUSE_MS = 250;
const STEPS_PER_PAGE = 500;
/** Bounds the steps in a response, because every request repeats the conversation; `/runs/{id}/steps` has the rest. */
const STEPS_BYTES_MAX = 64 * 1024 * 1024;

const NONE = new Uint8Array(0);

type Body = RunAgentBody | TestAgentBody | ReplayAgentBody;
type Input = RouteInput<{ id: string; slug: string }, unknown, Body>;

/** Runs an agent and waits for its end, or streams its events. The run continues when the client disconnects. */
async function runAgentAs(
  mode: AgentRunMode,
  input: Input,
  ctx: Pick<Context, 'clients' | 'directory' | 'revocations'>,
): Promise<RouteResult> {
  const { params, body, headers } = input;
  const project = await requireProject(ctx, input, params.id);
  const call = input.call.with({ principal: await asCustomer(ctx, project, body.customer_id, input.call) });
  const { runId } = await ctx.clients.agentRuns.startAgentRun(
    {
      slug: params.slug,
      mode,
      // Written again, not forwarded: the schema drops unknown fields, which neither the run nor its idempotency key has.
      inputJson: bytes(body.input),
      options: toOptions(body.options),
      // Answers of tools keep the digits of their numbers.
      mockToolsJson: readMembers(input.rawBody, ['mock_tools']).mock_tools ?? NONE,
      replayRunId: ('run_id' in body && body.run_id?.toLowerCase()) || '',
      idempotencyKey: toRunKey(input, mode),
    },
    call,
  );
  if (body.options.stream) return runEventStream(ctx, { runId, afterSeq: 0, wait: true, limit: 0 }, headers, call);
  const result = await awaitRunEnd(ctx, runId, call);
  if (result.refused) throw toRefusal(result);
  const steps = body.options.capture_tool_io ? await readSteps(ctx, runId, call) : [];
  return { body: agentRunJson(result, steps) };
}

/** The engine stores the key with the run, so that a repeat finds it even after a crash of this process. */
function toRunKey({ headers, params }: Input, mode: AgentRunMode): string {
  const key = readIdempotencyKey(headers);
  return key === undefined ? '' : `agents/${params.slug}/${mode}/${key}`;
}

function toOptions(options: RunAgentBody['options']) {
  return {
    model: options.model,
    maxSteps: options.max_steps,
    maxDurationSec: options.max_duration_sec,
    stepTimeoutSec: options.step_timeout_sec,
    toolFailurePolicy: options.tool_failure_policy,
    toolRetryCount: options.tool_retry_count,
    dryRun: options.dry_run,
  };
}

/** Waits for the end of a run, also while the engine is restarted. @throws AppError RELAY_TIMEOUT */
export async function awaitRunEnd(
  ctx: Pick<Context, 'clients'>,
  runId: string,
  call: Call,
): Promise<AwaitAgentRunResponse> {
  for (let unavailableSince = elapsed(); ; ) {
    try {
      const result = await ctx.clients.agentRuns.awaitAgentRun({ runId }, call);
      if (!isRunning(result)) return result;
      unavailableSince = elapsed();
    } catch (error) {
      const isUnavailable = isAppError(error) && error.retryable && !call.isAborted && call.remainingMs() > 0;
      if (!isUnavailable || elapsed() - unavailableSince > UNAVAILABLE_MS_MAX) throw error;
    }
    if (call.isAborted || call.remainingMs() <= 0) throw new AppError('RELAY_TIMEOUT', 'the run has not ended yet');
    await sleep(PAUSE_MS);
  }
}

function isRunning({ status }: AwaitAgentRunResponse): boolean {
  return status === 'running' || status === 'waiting';
}

function toRefusal({ error }: AwaitAgentRunResponse): AppError {
  const { code = '', message = '' } = error ?? {};
  return new AppError(isErrorCode(code) ? code : 'INTERNAL_ERROR', message);
}

async function readSteps(ctx: Pick<Context, 'clients'>, runId: string, call: Call): Promise<RunStep[]> {
  const steps: RunStep[] = [];
  let bytesLeft = STEPS_BYTES_MAX;
  for (let hasMore = true; hasMore && bytesLeft > 0; ) {
    const page = await ctx.clients.workflow.listRunSteps({ runId, limit: STEPS_PER_PAGE, offset: steps.length }, call);
    steps.push(...page.steps);
    for (const step of page.steps) bytesLeft -= step.llmRequestJson.length + step.llmResponseJson.length;
    ({ hasMore } = page);
  }
  return steps;
}

function bytes(value: unknown): Uint8Array {
  return value === undefined ? new Uint8Array(0) : Buffer.from(JSON.stringify(value));
}

export function agentRunJson(result: AwaitAgentRunResponse, steps: readonly RunStep[]) {
  const { runId, status, outputJson, usage, error, mocksJson } = result;
  return {
    run_id: runId,
    status,
    output: parsed(outputJson) ?? [],
    usage: {
      total_steps: usage?.steps ?? 0,
      total_llm_calls: usage?.llmCalls ?? 0,
      total_tool_calls: usage?.toolCalls ?? 0,
      total_input_tokens: toJsonNumber(usage?.inputTokens ?? 0n),
      total_output_tokens: toJsonNumber(usage?.outputTokens ?? 0n),
      total_cost_cents: toJsonNumber(microcentsToCentsRounded(usage?.costMicrocents ?? 0n)),
      total_cost_microcents: toJsonNumber(usage?.costMicrocents ?? 0n),
    },
    steps: steps.map(stepJson),
    error: error && { code: error.code, message: error.message },
    mocks: parsed(mocksJson),
  };
}
