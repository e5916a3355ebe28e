import { z } from 'zod';
import { storableText } from '../values/text.js';
import { WORKFLOW_KINDS } from './workflow-spec.js';

/** Bounds of the compile endpoints. */
export const compileAttempts = { default: 3, max: 5 } as const;

const options = {
  /** `github:<owner>/<repo>[/<path>][@<ref>]` */
  source: z.string().nullish(),
  /** Contents by path. */
  files: z.record(z.string(), z.string()).nullish(),
  /** Drafts the workflow, and is the model of its steps. */
  model: storableText(256).min(1).nullish(),
  /** Maximum number of model calls. */
  max_attempts: z.int().min(1).max(compileAttempts.max).default(compileAttempts.default),
};

/** `POST /plugins/compile`: exactly one of `source` and `files`. */
export const compilePluginBody = z.object({
  ...options,
  mode: z.literal('intent').default('intent'),
  /** `workflow.v1`: a workflow with the input `task`, which runs take as `input: {task}`. */
  workflow_kind: z.enum(WORKFLOW_KINDS).default('workflow.v0'),
});

/** `POST /skills/compile`: exactly one of `source` and `files`. */
export const compileSkillBody = z.object(options);

export type CompileBody = z.output<typeof compileSkillBody>;

const result = {
  compiled_at: z.iso.datetime(),
  /** The commit that the source was resolved to, or `inline`. */
  source_ref: z.string(),
  /** Input that was accepted but may not have the intended meaning. */
  warnings: z.array(z.object({ file: z.string(), key: z.string(), message: z.string(), line: z.int().optional() })),
};

export const compilePluginResponse = z.object({
  workflow: z.looseObject({ kind: z.enum(WORKFLOW_KINDS) }),
  plugin: z.object({
    name: z.string(),
    description: z.string(),
    agents: z.array(z.object({ name: z.string(), system_prompt: z.string() })),
  }),
  ...result,
});

export const compileSkillResponse = z.object({
  workflow: z.looseObject({ kind: z.literal('workflow.v1') }),
  skill: z.object({ name: z.string(), description: z.string(), agents: z.array(z.string()) }),
  ...result,
});
