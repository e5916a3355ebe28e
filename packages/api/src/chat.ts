import { z } from 'zod';

/**
 * Body of `POST /v1/chat/completions` as far as every route needs it. Loose: what is not named here is passed to a
 * provider that speaks this dialect itself; inference refuses what another provider could not honour.
 * Source: the request types of the official `openai` client library, version 6.
 */

const MESSAGES_MAX = 10_000;
const TOOLS_MAX = 128;
const NAME_CHARS_MAX = 256;

const textContent = z.looseObject({ type: z.literal('text'), text: z.string() });
const refusalContent = z.looseObject({ type: z.literal('refusal'), refusal: z.string() });
const imageContent = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({ url: z.string().min(1), detail: z.enum(['auto', 'low', 'high']).optional() }),
});
const audioContent = z.looseObject({
  type: z.literal('input_audio'),
  input_audio: z.looseObject({ data: z.string(), format: z.string() }),
});
const fileContent = z.looseObject({
  type: z.literal('file'),
  file: z.looseObject({
    file_data: z.string().optional(),
    file_id: z.string().optional(),
    filename: z.string().optional(),
  }),
});

export const chatContentPart = z.discriminatedUnion('type', [
  textContent,
  refusalContent,
  imageContent,
  audioContent,
  fileContent,
]);

const chatContent = z.union([z.string(), z.array(chatContentPart)]);

export const chatToolCall = z.looseObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.looseObject({ name: z.string().min(1), arguments: z.string() }),
});

export const chatMessage = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer', 'user']), content: chatContent }),
  z.looseObject({
    role: z.literal('assistant'),
    content: chatContent.nullish(),
    tool_calls: z.array(chatToolCall).max(TOOLS_MAX).nullish(),
  }),
  z.looseObject({ role: z.literal('tool'), content: chatContent, tool_call_id: z.string().min(1) }),
]);

export const chatTool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string().regex(/^[a-zA-Z0-9_.-]{1,128}$/, 'must be 1 to 128 letters, digits, dots, dashes or underscores'),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
    strict: z.boolean().nullish(),
  }),
});

export const chatToolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string().min(1) }) }),
]);

export const chatResponseFormat = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    json_schema: z.looseObject({
      name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, dashes or underscores'),
      description: z.string().optional(),
      schema: z.record(z.string(), z.unknown()).optional(),
      strict: z.boolean().nullish(),
    }),
  }),
]);

const tokenBound = z.int().min(1).max(2_147_483_647).nullish();

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
    n: z.literal(1, { error: 'only one choice per request is offered' }).nullish(),
    tools: z.array(chatTool).max(TOOLS_MAX).nullish(),
    tool_choice: chatToolChoice.nullish(),
    parallel_tool_calls: z.boolean().nullish(),
    response_format: chatResponseFormat.nullish(),
    reasoning_effort: z.string().nullish(),
  })
  .superRefine((body, ctx) => {
    const choice = body.tool_choice;
    if (!choice || choice === 'none' || choice === 'auto') return;
    const tools = body.tools ?? [];
    if (choice === 'required') {
      if (tools.length === 0) ctx.addIssue({ code: 'custom', path: ['tool_choice'], message: 'required needs tools' });
    } else if (!tools.some((entry) => entry.function.name === choice.function.name)) {
      const message = `names no declared function tool: ${choice.function.name}`;
      ctx.addIssue({ code: 'custom', path: ['tool_choice', 'function', 'name'], message });
    }
  });

export type ChatCompletionsBody = z.output<typeof chatCompletionsBody>;
export type ChatMessage = z.output<typeof chatMessage>;
export type ChatContentPart = z.output<typeof chatContentPart>;
export type ChatTool = z.output<typeof chatTool>;
export type ChatToolChoice = z.output<typeof chatToolChoice>;
export type ChatToolCall = z.output<typeof chatToolCall>;

/** The bound a client asked for; the newer name wins. */
export function chatMaxOutputTokens(body: ChatCompletionsBody): number | undefined {
  return body.max_completion_tokens ?? body.max_tokens ?? undefined;
}
