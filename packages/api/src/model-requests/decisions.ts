import { z } from 'zod';
import { chatMessage } from '../compatible/chat.js';
import { inputOfChat, type RequestInput } from './request-input.js';
import { responseUsage } from './responses.js';

const OPTIONS_MAX = 100;

const option = z.object({
  id: z.string().min(1).max(128),
  description: z.string().min(1).max(4_000),
});

/** Body of `POST /v1/decisions`: a choice between options, made by a model. */
export const decisionsBody = z
  .object({
    /** A text, or a conversation as in chat completions. */
    input: z.union([z.string().min(1), z.array(chatMessage).min(1).max(1_000)]),
    options: z.array(option).min(2).max(OPTIONS_MAX),
    model: z.string().min(1).max(256).optional(),
    /** The criteria of the decision. */
    instructions: z.string().max(32_000).nullish(),
    max_output_tokens: z.int().min(64).max(2_147_483_647).nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    reasoning_effort: z.enum(['none', 'low', 'medium', 'high']).nullish(),
    stream: z.literal(false, { error: 'decisions are not streamed' }).nullish(),
  })
  .superRefine(({ options }, ctx) => {
    const ids = options.map(({ id }) => id);
    const repeated = ids.findIndex((id, index) => ids.indexOf(id) !== index);
    if (repeated === -1) return;
    ctx.addIssue({ code: 'custom', path: ['options', repeated, 'id'], message: 'is used twice' });
  });

export const decisionsResponse = z.object({
  decision: z.object({
    /** One of the ids of the options. */
    id: z.string(),
    /** 0 to 1, by the model's own estimate. */
    confidence: z.number(),
    reason: z.string(),
  }),
  usage: responseUsage,
});

export type DecisionsBody = z.output<typeof decisionsBody>;

/** Output that a decision may take when the client names no bound; reasoning included. */
export const DECISION_OUTPUT_TOKENS = 2_048;

/** Instructions for the model, placed before the input. */
export function decisionInstructions({ options, instructions }: DecisionsBody): string {
  const lines = options.map(({ id, description }) => `- ${JSON.stringify(id)}: ${description}`);
  return [
    'Choose exactly one of the options below for the input that follows.',
    ...(instructions ? [instructions] : []),
    'Options, each with its id:',
    ...lines,
    'Answer with the id of the option, your confidence in it from 0 to 1, and the reason in one or two sentences.',
  ].join('\n');
}

/** The JSON Schema of a model's answer. */
export function decisionSchema({ options }: Pick<DecisionsBody, 'options'>): Record<string, unknown> {
  return {
    type: 'object',
    properties: {
      id: { type: 'string', enum: options.map(({ id }) => id) },
      confidence: { type: 'number' },
      reason: { type: 'string' },
    },
    required: ['id', 'confidence', 'reason'],
    additionalProperties: false,
  };
}

/** Converts the input of a `/v1/decisions` body. */
export function inputOfDecision(body: DecisionsBody): RequestInput {
  const { input } = body;
  const messages = typeof input === 'string' ? [{ role: 'user' as const, content: input }] : input;
  const read = inputOfChat({ messages });
  read.messages.unshift(decisionInstructions(body));
  read.extras = [JSON.stringify(decisionSchema(body))];
  return read;
}
