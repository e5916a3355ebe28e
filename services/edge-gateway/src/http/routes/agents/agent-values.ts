import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CreateAgentBody, UpdateAgentBody } from '@tollgate/api/runs';
import type { AgentValuesSchema } from '@tollgate/contracts/agents/v1/agents_pb.js';

/** Maps a field of the body to its name in an update mask. */
const maskNames = {
  name: 'name',
  description: 'description',
  system: 'system',
  model: 'model',
  tools: 'tools_json',
  fragments: 'fragments_json',
  input_schema: 'input_schema_json',
  max_steps: 'max_steps',
  max_duration_sec: 'max_duration_sec',
  step_timeout_sec: 'step_timeout_sec',
  tool_failure_policy: 'tool_failure_policy',
  tool_retry_count: 'tool_retry_count',
} as const;

/** Converts the given fields; omits `null` and absent ones, which the registry sets to their defaults. */
export function agentValues(body: CreateAgentBody | UpdateAgentBody): MessageInitShape<typeof AgentValuesSchema> {
  const { tools, fragments } = body;
  return {
    name: body.name ?? '',
    description: body.description ?? '',
    system: body.system ?? '',
    model: body.model ?? '',
    toolsJson: tools ? JSON.stringify(tools) : '',
    fragmentsJson: fragments ? JSON.stringify(fragments) : '',
    inputSchemaJson: body.input_schema ? JSON.stringify(body.input_schema) : '',
    toolFailurePolicy: body.tool_failure_policy ?? '',
    ...(body.max_steps != null && { maxSteps: body.max_steps }),
    ...(body.max_duration_sec != null && { maxDurationSec: body.max_duration_sec }),
    ...(body.step_timeout_sec != null && { stepTimeoutSec: body.step_timeout_sec }),
    ...(body.tool_retry_count != null && { toolRetryCount: body.tool_retry_count }),
  };
}

/** Returns the fields that a change contains, including `null` ones. */
export function updateMask(body: UpdateAgentBody): string[] {
  return Object.entries(maskNames).flatMap(([field, name]) =>
    body[field as keyof typeof maskNames] === undefined ? [] : [name],
  );
}
