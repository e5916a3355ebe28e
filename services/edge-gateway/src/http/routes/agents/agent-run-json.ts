import type { AwaitAgentRunResponse } from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import type { RunStep } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import { microcentsToCentsRounded, toJsonNumber } from '@tollgate/money';
import { parsed } from '../runs/run-json.js';
import { stepJson } from '../runs/step-json.js';

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
