import { z } from 'zod';
import { jsonObject } from '../values/json-object.js';

/**
 * Body of `POST /v1/chat/completions`, with the fields that every route needs. Loose: a provider that speaks this dialect
 * receives further fields unchanged; inference rejects features that another provider does not support.
 * Source: the request types of the official `openai` client library, version 6.
 */

const MESSAGES_MAX = 10_000;
/** Parts of one message. */
const PARTS_MAX = 10_000;
const TOOLS_MAX = 128;
const NAME_CHARS_MAX = 256;
/** OpenAI's own limit. */
const CHOICES_MAX = 128;

const absent = (why: string) => z.null({ error: why }).optional();
/** The name of the speaker. Bounded, because the model reads it and the count of its input does not include it. */
const speaker = { name: z.string().max(NAME_CHARS_MAX).nullish() };

const textContent = z.looseObject({ type: z.literal('text'), text: z.string() });
const refusalContent = z.looseObject({ type: z.literal('refusal'), refusal: z.string() });
const imageContent = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({
    url: z.string().regex(/^(data:|https:\/\/)/i, 'must be a data: or https: URL'),
    detail: z.enum(['auto', 'low', 'high']).optional(),
  }),
});
const audioContent = z.looseObject({
  type: z.literal('input_audio'),
  input_audio: z.looseObject({ data: z.string(), format: z.string() }),
});
const fileContent = z.looseObject({
  type: z.literal('file'),
  file: z.looseObject({
    file_id: absent('uploaded files cannot be referred to: send the data itself'),
    file_data: z.string({ error: 'a file must be sent as file_data' }).min(1),
    filename: z.string().max(NAME_CHARS_MAX).optional(),
  }),
});

export const chatContentPart = z.discriminatedUnion('type', [
  textContent,
  refusalContent,
  imageContent,
  audioContent,
  fileContent,
]);

const chatContent = z.union([z.string(), z.array(chatContentPart).max(PARTS_MAX)]);
const textsOnly = z.union([
  z.string(),
  z.array(z.discriminatedUnion('type', [textContent], { error: 'tool results must be text in this dialect' })),
]);

export const chatToolCall = z.looseObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.looseObject({ name: z.string().min(1), arguments: z.string() }),
});

export const chatMessage = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer', 'user']), content: chatContent, ...speaker }),
  z.looseObject({
    role: z.literal('assistant'),
    ...speaker,
    content: chatContent.nullish(),
    refusal: z.string().nullish(),
    audio: absent('audio answers are not stored'),
    function_call: absent('use tool_calls instead'),
    tool_calls: z.array(chatToolCall).max(TOOLS_MAX).nullish(),
  }),
  z.looseObject({ role: z.literal('tool'), content: textsOnly, tool_call_id: z.string().min(1) }),
]);

const functionTool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string().regex(/^[a-zA-Z0-9_.-]{1,128}$/, 'must be 1 to 128 letters, digits, dots, dashes or underscores'),
    description: z.string().nullish(),
    parameters: jsonObject.nullish(),
    strict: z.boolean().nullish(),
  }),
});

export const chatTool = z.discriminatedUnion('type', [functionTool], {
  error: ({ code, input }) =>
    code === 'invalid_union'
      ? `only function tools are supported, not type ${String((input as { type?: unknown } | null)?.type)}`
      : undefined,
});

const namedTool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({ name: z.string().min(1) }),
});

export const chatToolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  namedTool,
  z.looseObject({
    type: z.literal('allowed_tools'),
    allowed_tools: z.looseObject({
      mode: z.enum(['auto', 'required']),
      tools: z.array(namedTool).max(TOOLS_MAX),
    }),
  }),
]);

export const chatResponseFormat = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    json_schema: z.looseObject({
      name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, dashes or underscores'),
      description: z.string().optional(),
      schema: jsonObject.optional(),
      strict: z.boolean().nullish(),
    }),
  }),
]);

const TOKEN_BOUND_MAX = 2_147_483_647;
const tokenBound = z.int().min(1).max(TOKEN_BOUND_MAX).nullish();

export const chatCompletionsBody = z
  .looseObject({
    messages: z.array(chatMessage).min(1).max(MESSAGES_MAX),
    model: z.string().min(1).max(NAME_CHARS_MAX).optional(),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
    max_tokens: tokenBound,
    max_completion_tokens: tokenBound,
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    stop: z.union([z.string().min(1), z.array(z.string().min(1).max(128)).max(8)]).nullish(),
    n: z.int().min(1).max(CHOICES_MAX).nullish(),
    frequency_penalty: z.number().min(-2).max(2).nullish(),
    presence_penalty: z.number().min(-2).max(2).nullish(),
    seed: z.int().nullish(),
    logprobs: z.boolean().nullish(),
    top_logprobs: z.int().min(0).max(20).nullish(),
    /** A field of servers other than OpenAI's. */
    top_k: z.int().min(-1).max(1_000_000).nullish(),
    tools: z.array(chatTool).max(TOOLS_MAX).nullish(),
    tool_choice: chatToolChoice.nullish(),
    parallel_tool_calls: z.boolean().nullish(),
    response_format: chatResponseFormat.nullish(),
    reasoning_effort: z.string().nullish(),
    store: z.literal(false, { error: 'completions are not stored: send store: false, or leave it out' }).nullish(),
    /** A field of xAI. */
    deferred: z.literal(false, { error: 'deferred completions are not supported' }).nullish(),
    functions: absent('use tools instead'),
    function_call: absent('use tool_choice instead'),
    moderation: absent('moderation is not supported: it has no price'),
  })
  .superRefine(checkToolChoice);

export type ChatCompletionsBody = z.output<typeof chatCompletionsBody>;
export type ChatMessage = z.output<typeof chatMessage>;
export type ChatContentPart = z.output<typeof chatContentPart>;
export type ChatTool = z.output<typeof chatTool>;
export type ChatToolChoice = z.output<typeof chatToolChoice>;
export type ChatToolCall = z.output<typeof chatToolCall>;

/** The names that the model may choose from; undefined = all. */
export function chatAllowedTools(choice: ChatToolChoice | null | undefined): string[] | undefined {
  if (typeof choice !== 'object' || choice?.type !== 'allowed_tools') return undefined;
  return choice.allowed_tools.tools.map((tool) => tool.function.name);
}

/** Returns the client's output bound of all choices; the newer name takes precedence. */
export function chatMaxOutputTokens(body: ChatCompletionsBody): number | undefined {
  const bound = body.max_completion_tokens ?? body.max_tokens ?? undefined;
  return bound === undefined ? undefined : Math.min(bound * (body.n ?? 1), TOKEN_BOUND_MAX);
}

function checkToolChoice(
  { tool_choice: choice, tools }: { tool_choice?: ChatToolChoice | null; tools?: ChatTool[] | null },
  ctx: z.RefinementCtx,
): void {
  const names = new Set((tools ?? []).map((tool) => tool.function.name));
  const refuse = (message: string, ...path: string[]): void => {
    ctx.addIssue({ code: 'custom', path: ['tool_choice', ...path], message });
  };
  if (choice === 'required' && names.size === 0) refuse('required needs at least one tool');
  if (typeof choice !== 'object' || choice === null) return;
  if (choice.type === 'function') {
    const { name } = choice.function;
    if (!names.has(name)) refuse(`names no declared function tool: ${name}`, 'function', 'name');
    return;
  }
  const unknown = chatAllowedTools(choice)?.find((name) => !names.has(name));
  if (unknown !== undefined) refuse(`names no declared function tool: ${unknown}`, 'allowed_tools', 'tools');
}
