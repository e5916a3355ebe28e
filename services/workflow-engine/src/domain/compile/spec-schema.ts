import { z } from 'zod';
import { isPointer } from '../json-pointer.js';
import { defaults, limits } from '../limits.js';
import { PLACEHOLDER_LENGTH_MAX } from '../placeholders.js';

/** Pieces of a workflow.v0 spec. What one piece says about another (references, cycles) is checked by the compiler. */

export const nodeIdSchema = z
  .string()
  .regex(/^[a-z][a-z0-9_]*$/, 'must start with a letter and hold only lower-case letters, digits and underscores')
  .max(limits.nodeIdLength);

const referenceSchema = z.string().min(1).max(limits.nodeIdLength);
const pointerSchema = z.string().max(1024).refine(isPointer, 'must be a JSON Pointer');

export const sourceSchema = z.object({ from: referenceSchema, pointer: pointerSchema.default('') });

export const edgeSchema = z.object({ from: referenceSchema, to: referenceSchema, when: z.unknown().optional() });

export const outputSchema = z.object({
  name: z.string().min(1).max(limits.nameLength),
  from: referenceSchema,
  pointer: pointerSchema.default(''),
});

export const executionSchema = z.object({
  max_parallelism: z.int().min(1).max(limits.parallelism).default(defaults.maxParallelism),
  node_timeout_ms: z.int().min(1).max(limits.nodeTimeoutMs).default(defaults.nodeTimeoutMs),
  run_timeout_ms: z.int().min(1).max(limits.runTimeoutMs).default(defaults.runTimeoutMs),
});

export const bindingSchema = sourceSchema
  .extend({
    to: pointerSchema.min(1).optional(),
    to_placeholder: z
      .string()
      .regex(/^[^{}]+$/, 'must not hold braces')
      .max(PLACEHOLDER_LENGTH_MAX)
      .optional(),
    encoding: z.enum(['json', 'json_string']).optional(),
  })
  .refine((binding) => (binding.to === undefined) !== (binding.to_placeholder === undefined), {
    message: 'needs exactly one of to and to_placeholder',
  });

export const toolExecutionSchema = z.object({ mode: z.enum(['server', 'client']).default('server') });

export const toolLimitsSchema = z.object({
  max_llm_calls: z.int().min(1).max(limits.llmCalls).default(defaults.maxLlmCalls),
  max_tool_calls_per_step: z.int().min(1).max(limits.toolCallsPerStep).default(defaults.maxToolCallsPerStep),
  wait_ttl_ms: z.int().min(1).max(limits.runTimeoutMs).default(defaults.waitTtlMs),
});

/** What an llm.responses node says besides the request; found beside the request in both forms of the input. */
export const llmOptionsSchema = z.object({
  stream: z.boolean().default(true),
  tool_execution: toolExecutionSchema.prefault({}),
  tool_limits: toolLimitsSchema.prefault({}),
  bindings: z.array(bindingSchema).max(limits.bindingsPerNode).default([]),
});

export const transformObjectSchema = z.record(z.string().max(limits.nameLength), sourceSchema);
export const transformMergeSchema = z.array(sourceSchema).min(1).max(limits.transformSources);
