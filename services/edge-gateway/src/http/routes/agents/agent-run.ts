import { setTimeout as sleep } from 'node:timers/promises';
import type { ReplayAgentBody, RunAgentBody, TestAgentBody } from '@tollgate/api/runs';
import type { AgentRunMode, AwaitAgentRunResponse } from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import type { RunStep } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import { AppError, isAppError, isErrorCode } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { elapsed } from '@tollgate/runtime';
import { requireProject } from '../../../auth/project-scope.js';
import type { Context } from '../../../context.js';
import { readMembers } from '../../../domain/json-members.js';
import { readIdempotencyKey } from '../../exchange/idempotency-key.js';
import type { RouteInput, RouteResult } from '../../exchange/route.js';
import { runEventStream } from '../runs/run-event-stream.js';
import { agentRunJson } from './agent-run-json.js';
import { asCustomer } from './as-customer.js';

/** Timeout of a response, which may wait for the longest run. */
export const AGENT_RUN_TIMEOUT_MS = 25 * 60 * 60_000;

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
export async function runAgentAs(
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
