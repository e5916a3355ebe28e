import {
  type AgentInputSchema,
  agentInputSchema,
  type Fragment,
  fragmentsSchema,
  type ToolFailurePolicy,
  type ToolRef,
  toolFailurePolicies,
  toolRefsSchema,
} from '@tollgate/api/runs';
import type { AgentValues as ProtoValues } from '@tollgate/contracts/agents/v1/agents_pb.js';
import { AppError } from '@tollgate/errors';
import type { z } from 'zod';
import type { AgentValues } from '../domain/agent-values.js';

/** Reads each wire field, keyed by its name in an update mask; undefined resets the field to its default. */
const readers: { [Name: string]: (values: ProtoValues) => AgentValues } = {
  name: ({ name }) => ({ name: name || undefined }),
  description: ({ description }) => ({ description: description || undefined }),
  system: ({ system }) => ({ system: system || undefined }),
  model: ({ model }) => ({ model: model || undefined }),
  tools_json: ({ toolsJson }) => ({ tools: readTools(toolsJson) }),
  fragments_json: ({ fragmentsJson }) => ({ fragments: readFragments(fragmentsJson) }),
  input_schema_json: ({ inputSchemaJson }) => ({ inputSchema: readInputSchema(inputSchemaJson) }),
  max_steps: ({ maxSteps }) => ({ maxSteps }),
  max_duration_sec: ({ maxDurationSec }) => ({ maxDurationSec }),
  step_timeout_sec: ({ stepTimeoutSec }) => ({ stepTimeoutSec }),
  tool_failure_policy: ({ toolFailurePolicy }) => ({ toolFailurePolicy: readPolicy(toolFailurePolicy) }),
  tool_retry_count: ({ toolRetryCount }) => ({ toolRetryCount }),
};

/** @throws AppError VALIDATION_ERROR for malformed tools, fragments or policy */
export function allValues(values: ProtoValues | undefined): AgentValues {
  return maskedValues(values, Object.keys(readers));
}

/** Reads only the fields in the mask. @throws AppError VALIDATION_ERROR; INVALID_INPUT for an unknown field */
export function maskedValues(values: ProtoValues | undefined, mask: string[]): AgentValues {
  if (!values) throw new AppError('INVALID_INPUT', 'values are required');
  const read = mask.map((name) => {
    const reader = readers[name];
    if (!reader) throw new AppError('INVALID_INPUT', `update_mask contains an unknown field: ${name}`);
    return reader(values);
  });
  return Object.assign({}, ...read);
}

function readTools(json: string): ToolRef[] | undefined {
  return json === '' ? undefined : readJson(json, 'tools', toolRefsSchema);
}

function readFragments(json: string): Record<string, Fragment> | undefined {
  return json === '' ? undefined : readJson(json, 'fragments', fragmentsSchema);
}

function readInputSchema(json: string): AgentInputSchema | undefined {
  return json === '' ? undefined : readJson(json, 'input_schema', agentInputSchema);
}

function readPolicy(text: string): ToolFailurePolicy | undefined {
  if (text === '') return undefined;
  const policy = toolFailurePolicies.find((known) => known === text);
  if (policy) return policy;
  throw invalid('tool_failure_policy', `must be ${toolFailurePolicies.join(', ')}`);
}

function readJson<T>(json: string, field: string, schema: z.ZodType<T>): T {
  const result = schema.safeParse(parse(json, field));
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw invalid([field, ...(issue?.path ?? [])].join('.'), issue?.message ?? 'is malformed');
}

function parse(json: string, field: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw invalid(field, 'must be JSON', cause);
  }
}

function invalid(field: string, message: string, cause?: unknown): AppError {
  return new AppError('VALIDATION_ERROR', `${field}: ${message}`, { fields: [{ field, message }], cause });
}
