import { z } from 'zod';
import { storableText } from '../values/text.js';
import { workflowDefaults as defaults, workflowLimits as limits } from './workflow-limits.js';

/**
 * The parts of a workflow spec. The engine's compiler checks each part with these schemas, and then the relations between
 * parts (references, cycles, placeholders). `workflow-schema.ts` combines the parts.
 */

export const WORKFLOW_KINDS = ['workflow.v0', 'workflow.v1'] as const;
export type WorkflowKind = (typeof WORKFLOW_KINDS)[number];

export const workflowNodeId = z
  .string()
  .regex(/^[a-z][a-z0-9_]*$/, 'must start with a letter and hold only lower-case letters, digits and underscores')
  .max(limits.nodeIdLength);

export const workflowName = storableText(limits.nameLength);
const reference = z.string().min(1).max(limits.nodeIdLength);
const inputName = z.string().min(1).max(limits.nameLength);

const POINTER = /^(\/([^~/]|~[01])*)*$/;
const SELECTOR = /^\$(\.[A-Za-z_][A-Za-z0-9_-]*|\[(0|[1-9]\d*)\]|\['[^'\\]*'\])*$/;

/** RFC 6901. */
export const jsonPointer = z.string().max(limits.pointerLength).regex(POINTER, 'must be a JSON Pointer');

/** A JSON Pointer, or an equivalent path from `$`: `$.items[0].name`, `$['a key']`. */
export const jsonPath = z
  .string()
  .max(limits.pointerLength)
  .refine((path) => POINTER.test(path) || SELECTOR.test(path), 'must be a JSON Pointer or a path such as $.a.b[0]');

/** Where a value comes from in workflow.v0: a part of an upstream node's output. */
export const nodeSource = z.object({ from: reference, pointer: jsonPointer.default('') });

/** In workflow.v1 a value can also come from a declared input of the run. */
export const anySource = z
  .object({ from: reference.optional(), from_input: inputName.optional(), pointer: jsonPointer.default('') })
  .refine(namesOneSource, { message: 'needs exactly one of from and from_input' });

/** A source whose part may be written as a path. */
export const pathSource = z
  .object({
    from: reference.optional(),
    from_input: inputName.optional(),
    pointer: jsonPointer.optional(),
    path: jsonPath.optional(),
  })
  .refine(namesOneSource, { message: 'needs exactly one of from and from_input' })
  .refine(({ pointer, path }) => pointer === undefined || path === undefined, {
    message: 'takes only one of pointer and path',
  });

function namesOneSource(source: { from?: string | undefined; from_input?: string | undefined }): boolean {
  return (source.from === undefined) !== (source.from_input === undefined);
}

const bindingTarget = {
  to: jsonPointer.min(1).optional(),
  to_placeholder: z
    .string()
    .regex(/^[^{}]+$/, 'must not hold braces')
    .max(limits.placeholderLength)
    .optional(),
  encoding: z.enum(['json', 'json_string']).optional(),
};

function namesOneTarget(binding: { to?: string | undefined; to_placeholder?: string | undefined }): boolean {
  return (binding.to === undefined) !== (binding.to_placeholder === undefined);
}

const oneTarget = { message: 'needs exactly one of to and to_placeholder' };

export const nodeBinding = nodeSource.extend(bindingTarget).refine(namesOneTarget, oneTarget);
export const anyBinding = z
  .object({ ...anySource.shape, ...bindingTarget })
  .refine(namesOneSource, { message: 'needs exactly one of from and from_input' })
  .refine(namesOneTarget, oneTarget);

/** Values that each item of a fan-out puts into the request of its sub-node. */
export const itemBinding = z
  .object({ pointer: jsonPointer.optional(), path: jsonPath.optional(), ...bindingTarget })
  .refine(namesOneTarget, oneTarget);

export const toolExecution = z.object({ mode: z.enum(['server', 'client']).default('server') });

export const toolLimitsSpec = z.object({
  max_llm_calls: z.int().min(1).max(limits.llmCalls).default(defaults.maxLlmCalls),
  max_tool_calls_per_step: z.int().min(1).max(limits.toolCallsPerStep).default(defaults.maxToolCallsPerStep),
  wait_ttl_ms: z.int().min(1).max(limits.runTimeoutMs).default(defaults.waitTtlMs),
});

/** The name of an MCP server of the project. */
export const mcpServerName = z
  .string()
  .max(20)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be the name of an MCP server: lower-case words joined by "-"');

/** Fields of a model node besides its request; next to the request in both forms of the input. */
export const llmOptions = z.object({
  stream: z.boolean().default(true),
  tool_execution: toolExecution.prefault({}),
  tool_limits: toolLimitsSpec.prefault({}),
  mcp_servers: z
    .array(mcpServerName)
    .min(1)
    .max(limits.mcpServers)
    .refine((names) => new Set(names).size === names.length, { message: 'names a server twice' })
    .optional()
    .describe('Names of MCP servers of the project; the model may call their tools. Not for customers'),
});

export const nodeBindings = z.array(nodeBinding).max(limits.bindingsPerNode).default([]);
export const anyBindings = z.array(anyBinding).max(limits.bindingsPerNode).default([]);

/** Any JSON: the value comes from a parser. `z.json` would refuse numbers that keep their digits. */
const json = z.unknown();

/** The condition of an edge. `value` is the operand; for `matches`, a regular expression. */
export const edgeCondition = z
  .object({
    source: z.enum(['node_output', 'node_status']),
    op: z.enum(['equals', 'matches', 'exists']),
    path: jsonPath.default(''),
    value: json.optional(),
  })
  .superRefine(checkOperand);

/** One case of a `route.switch`. */
export const switchCase = z
  .object({
    route: z.string().min(1).max(limits.nameLength),
    op: z.enum(['equals', 'matches', 'exists']),
    path: jsonPath.default(''),
    value: json.optional(),
  })
  .superRefine(checkOperand);

function checkOperand(condition: { op: string; value?: unknown }, ctx: z.RefinementCtx): void {
  const fault = (message: string) => ctx.addIssue({ code: 'custom', path: ['value'], message });
  if (condition.op === 'equals' && condition.value === undefined) fault('is required by equals');
  if (condition.op !== 'matches') return;
  if (typeof condition.value !== 'string') fault('must be a regular expression');
  else if (condition.value.length > limits.patternLength) fault(`must have at most ${limits.patternLength} characters`);
}

export const switchInput = z.object({
  cases: z.array(switchCase).min(1).max(limits.switchCases),
  default: z.string().min(1).max(limits.nameLength).optional(),
});

export const joinAnyInput = z.object({ predicate: edgeCondition.optional() });
export const joinCollectInput = z.object({
  predicate: edgeCondition.optional(),
  limit: z.int().min(1).max(limits.nodes).optional(),
  /** Continues with the available inputs this long after the first of them ended. */
  timeout_ms: z.int().min(1).max(limits.runTimeoutMs).optional(),
});

export const fanoutInput = z.object({
  items: pathSource,
  item_bindings: z.array(itemBinding).max(limits.bindingsPerNode).default([]),
  subnode: z.looseObject({ id: workflowNodeId.optional(), type: z.string(), input: json.optional() }),
  max_parallelism: z.int().min(1).max(limits.parallelism).default(defaults.fanoutParallelism),
  max_items: z.int().min(1).max(limits.fanoutItems).default(limits.fanoutItems),
});

export const retryPolicy = z.object({
  max_attempts: z.int().min(1).max(limits.retryAttempts),
  /** Codes of failures that are retried; absent: every retryable code. */
  retryable_errors: z.array(z.string().min(1).max(limits.nameLength)).max(100).optional(),
  backoff_ms: z.int().min(0).max(limits.retryBackoffMs).default(defaults.retryBackoffMs),
});

export const workflowEdge = z.object({ from: reference, to: reference, when: json.optional() });

export const workflowOutput = z.object({
  name: z.string().min(1).max(limits.nameLength),
  from: reference,
  pointer: jsonPointer.default(''),
});

export const WORKFLOW_INPUT_TYPES = [
  'json',
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
] as const;

export const workflowInput = z.object({
  name: inputName,
  type: z.enum(WORKFLOW_INPUT_TYPES).default('json'),
  required: z.boolean().default(false),
  default: json.optional(),
  description: storableText(4_096).optional(),
});

export const workflowExecution = z.object({
  max_parallelism: z.int().min(1).max(limits.parallelism).default(defaults.maxParallelism),
  node_timeout_ms: z.int().min(1).max(limits.nodeTimeoutMs).default(defaults.nodeTimeoutMs),
  run_timeout_ms: z.int().min(1).max(limits.runTimeoutMs).default(defaults.runTimeoutMs),
});

export const transformObject = <S extends z.ZodType>(source: S) => z.record(z.string().max(limits.nameLength), source);
export const transformMerge = <S extends z.ZodType>(source: S) => z.array(source).min(1).max(limits.transformSources);
