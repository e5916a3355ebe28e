import { z } from 'zod';
import { compileLimits } from '../limits.js';
import type { Plugin } from '../tree/read-plugin.js';

/** What a model writes: which agent does what, after whom. Everything else of a workflow follows from the files. */
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

/** The JSON Schema that the model's answer is asked to have. */
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
            task: { type: 'string', description: 'What the agent is told to do' },
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

/** Reads what a model has answered, or says what is wrong with it in words that it can mend it by. */
export function readDraft(text: string, plugin: Plugin): ReadDraft {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, faults: ['the answer is no JSON'] };
  }
  const parsed = draftSchema.safeParse(value);
  if (!parsed.success)
    return { ok: false, faults: parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) };
  const known = new Set(plugin.agents.map(({ name }) => name));
  const faults = parsed.data.steps.flatMap(({ agent }, i) =>
    known.has(agent) ? [] : [`steps.${i}.agent: there is no agent ${agent}`],
  );
  return faults.length > 0 ? { ok: false, faults } : { ok: true, draft: parsed.data };
}
