import { z } from 'zod';
import { compileLimits } from '../limits.js';
import type { Plugin } from '../tree/read-plugin.js';

/**
 * The part of a workflow that a model writes: the steps, their agents and their order. The rest follows from the files.
 */
export interface Draft {
  steps: DraftStep[];
}

export interface DraftStep {
  id: string;
  agent: string;
  task: string;
  /** Ids of the steps whose results this one reads. */
  after: string[];
}

const draftSchema = z.object({
  steps: z
    .array(
      z.object({
        id: z.string(),
        agent: z.string(),
        task: z.string().min(1).max(compileLimits.taskChars),
        after: z.array(z.string()).max(compileLimits.steps),
      }),
    )
    .min(1)
    .max(compileLimits.steps),
});

/** Returns the JSON Schema of the model's answer. */
export function draftJsonSchema({ agents }: Plugin): Record<string, unknown> {
  return {
    type: 'object',
    properties: {
      steps: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            id: { type: 'string', description: 'Lower-case letters, digits and underscores, beginning with a letter' },
            agent: { type: 'string', enum: agents.map(({ name }) => name) },
            task: { type: 'string', description: 'The task of the agent' },
            after: {
              type: 'array',
              minItems: 0,
              items: { type: 'string' },
              description: 'Ids of the steps whose results this one needs',
            },
          },
        },
      },
    },
  };
}

export type ReadDraft = { ok: true; draft: Draft } | { ok: false; faults: string[] };

/** Reads a model's answer, or returns its faults in words that help the model to fix them. */
export function readDraft(text: string, plugin: Plugin): ReadDraft {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, faults: ['the answer is not JSON'] };
  }
  const parsed = draftSchema.safeParse(value);
  if (!parsed.success) {
    return { ok: false, faults: parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) };
  }
  const known = new Set(plugin.agents.map(({ name }) => name));
  const faults = parsed.data.steps.flatMap(({ agent }, i) =>
    known.has(agent) ? [] : [`steps.${i}.agent: there is no agent ${agent}`],
  );
  return faults.length > 0 ? { ok: false, faults } : { ok: true, draft: parsed.data };
}
