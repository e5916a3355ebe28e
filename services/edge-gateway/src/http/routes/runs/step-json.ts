import type { ResponseResource } from '@tollgate/api/model-requests';
import type { RunStep } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import { parsed, time } from './run-json.js';

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
    started_at: time(step.startedAt),
    ended_at: time(step.endedAt),
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
