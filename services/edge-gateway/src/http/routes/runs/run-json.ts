import type { ResponseResource } from '@tollgate/api/model-requests';
import type {
  CostSummary,
  RunError,
  RunNode,
  RunSnapshot,
  RunStep,
  RunSummary,
} from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import { microcentsToFractionalCents, toJsonNumber } from '@tollgate/money';
import { parseExactJson } from '@tollgate/runtime';
import { timeJson } from '../to-json.js';

export function snapshotJson(run: RunSnapshot | undefined) {
  const { costSummary, nodes, inputJson, outputsJson, sessionId } = run!;
  return {
    ...summaryJson(run!),
    session_id: sessionId || undefined,
    cost_summary: costJson(costSummary!),
    nodes: nodes.map(nodeJson),
    input: parsed(inputJson),
    outputs: parsed(outputsJson) ?? {},
    error: errorJson(run!.error),
  };
}

export function summaryJson(run: RunSummary | RunSnapshot) {
  return {
    run_id: run.runId,
    status: run.status,
    plan_hash: run.planHash,
    name: run.name || undefined,
    customer_id: run.customerId || undefined,
    created_at: timeJson(run.createdAt),
    ended_at: timeJson(run.endedAt),
  };
}

function costJson({ totalMicrocents, lineItems, ambiguousAttempts }: CostSummary) {
  const lines = lineItems.map((line) => ({
    node_id: line.nodeId,
    model: line.model,
    usd_cents: microcentsToFractionalCents(line.microcents),
    provider: line.provider || undefined,
    requests: line.requests,
    input_tokens: toJsonNumber(line.inputTokens),
    output_tokens: toJsonNumber(line.outputTokens),
  }));
  const lost = ambiguousAttempts.map((attempt) => ({
    node_id: attempt.nodeId,
    model: attempt.model,
    usd_cents: 0,
    kind: 'ambiguous_attempt',
    request_id: attempt.holdId,
    held_usd_cents: microcentsToFractionalCents(attempt.heldMicrocents),
  }));
  return { total_usd_cents: microcentsToFractionalCents(totalMicrocents), line_items: [...lines, ...lost] };
}

function nodeJson(node: RunNode) {
  return {
    id: node.id,
    type: node.type,
    depends_on: node.after.length === 0 ? undefined : node.after,
    status: node.status,
    started_at: timeJson(node.startedAt),
    ended_at: timeJson(node.endedAt),
    output: parsed(node.outputJson),
    error: errorJson(node.error),
  };
}

function errorJson(error: RunError | undefined) {
  return error && { code: error.code, message: error.message };
}

export function parsed(json: Uint8Array): unknown {
  return json.length === 0 ? undefined : parseExactJson(Buffer.from(json).toString('utf8'));
}

export function stepJson(step: RunStep) {
  const answer = parsed(step.llmResponseJson) as ResponseResource | undefined;
  return {
    node_id: step.nodeId,
    step: step.step,
    attempt: step.attempt,
    request_id: step.holdId,
    status: step.status,
    model: step.model || undefined,
    provider: step.provider || undefined,
    llm_request: parsed(step.llmRequestJson),
    llm_response: answer,
    llm_call: answer && llmCallJson(step, answer),
    tool_calls: answer ? toolCallsJson(answer) : [],
    tool_results: step.toolResults.map(({ toolCallId, name, output }) => ({ tool_call_id: toolCallId, name, output })),
    error: step.errorCode ? { code: step.errorCode } : undefined,
    started_at: timeJson(step.startedAt),
    ended_at: timeJson(step.endedAt),
  };
}

/** Uses the same values as the step's event in the log. */
function llmCallJson({ step, holdId }: RunStep, { provider, model, id, stop_reason, usage }: ResponseResource) {
  return { step, request_id: holdId, provider, model, response_id: id, stop_reason, usage };
}

function toolCallsJson({ output }: ResponseResource) {
  const calls = output.at(-1)?.tool_calls ?? [];
  return calls.flatMap(({ id, function: fn }) =>
    fn ? [{ tool_call_id: id, name: fn.name, arguments: fn.arguments }] : [],
  );
}
