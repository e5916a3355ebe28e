import { z } from 'zod';
import { jsonObject } from '../values/json-object.js';

/**
 * Body of `POST /v1/responses`. Loose: further fields go to OpenAI unchanged, and other providers may ignore them as
 * hints. Features that would require storage, or that have no price, are rejected. Source: the request types of the
 * official `openai` client library, version 6.49.
 */

const ITEMS_MAX = 10_000;
/** Parts of one item. */
const PARTS_MAX = 10_000;
const TOOLS_MAX = 128;
const INCLUDES_MAX = 32;
const NAME_CHARS_MAX = 256;

const toolName = z
  .string()
  .regex(/^[a-zA-Z0-9_.-]{1,128}$/, 'must be 1 to 128 letters, digits, dots, dashes or underscores');
const absent = (why: string) => z.null({ error: why }).optional();
const notKept = 'files are not stored: send the data itself';

const textContent = z.looseObject({ type: z.enum(['input_text', 'output_text']), text: z.string() });
const refusalContent = z.looseObject({ type: z.literal('refusal'), refusal: z.string() });
const imageContent = z.looseObject({
  type: z.literal('input_image'),
  image_url: z
    .string({ error: 'an image must be sent as image_url' })
    .regex(/^(data:|https:\/\/)/i, 'must be a data: or https: URL'),
  file_id: absent(notKept),
});
const fileContent = z.looseObject({
  type: z.literal('input_file'),
  file_data: z.string({ error: 'a file must be sent as file_data' }).min(1),
  filename: z.string().max(NAME_CHARS_MAX).nullish(),
  file_id: absent(notKept),
  file_url: absent(notKept),
});

export const responsesContentPart = z.discriminatedUnion('type', [
  textContent,
  refusalContent,
  imageContent,
  fileContent,
]);

const messageItem = z.looseObject({
  type: z.literal('message').optional(),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: z.union([z.string(), z.array(responsesContentPart).max(PARTS_MAX)]),
});
const functionCallItem = z.looseObject({
  type: z.literal('function_call'),
  call_id: z.string().min(1).max(NAME_CHARS_MAX),
  name: z.string().min(1).max(NAME_CHARS_MAX),
  arguments: z.string(),
});
const functionCallOutputItem = z.looseObject({
  type: z.literal('function_call_output'),
  call_id: z.string().min(1).max(NAME_CHARS_MAX),
  output: z.union([z.string(), z.array(responsesContentPart).max(PARTS_MAX)]),
});
/** Reasoning of a model: encrypted for OpenAI, not usable by another provider. */
const reasoningItem = z.looseObject({ type: z.literal('reasoning') });

export const responsesInputItem = z.discriminatedUnion(
  'type',
  [messageItem, functionCallItem, functionCallOutputItem, reasoningItem],
  { error: unsupportedItem },
);

function unsupportedItem({ code, input }: { code?: string; input?: unknown }): string | undefined {
  if (code !== 'invalid_union') return undefined;
  const type = (input as { type?: unknown } | null)?.type;
  if (type === 'item_reference') return 'items are not stored: send the item itself instead of a reference';
  return `items of type ${String(type)} are not supported`;
}

const functionTool = z.looseObject({
  type: z.literal('function'),
  name: toolName,
  description: z.string().nullish(),
  parameters: jsonObject.nullish(),
  strict: z.boolean().nullish(),
});

export const responsesTool = z.discriminatedUnion('type', [functionTool], {
  error: ({ code, input }) =>
    code === 'invalid_union'
      ? `only function tools are supported, not type ${String((input as { type?: unknown } | null)?.type)}`
      : undefined,
});

export const responsesToolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.looseObject({ type: z.literal('function'), name: z.string().min(1) }),
  z.looseObject({
    type: z.literal('allowed_tools'),
    mode: z.enum(['auto', 'required']),
    tools: z.array(z.looseObject({ type: z.literal('function'), name: z.string().min(1) })).max(TOOLS_MAX),
  }),
]);

export const responsesTextFormat = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, dashes or underscores'),
    schema: jsonObject,
    description: z.string().nullish(),
    strict: z.boolean().nullish(),
  }),
]);

/** Fields that the input token count shares with the request itself. */
const asked = {
  input: z.union([z.string(), z.array(responsesInputItem).min(1).max(ITEMS_MAX)]),
  model: z.string().min(1).max(NAME_CHARS_MAX).optional(),
  instructions: z.string().nullish(),
  tools: z.array(responsesTool).max(TOOLS_MAX).nullish(),
  tool_choice: responsesToolChoice.nullish(),
  text: z.looseObject({ format: responsesTextFormat.nullish() }).nullish(),
  reasoning: z
    .looseObject({
      effort: z.string().nullish(),
      mode: z.literal('standard', { error: 'this mode of reasoning is not supported: it has no price' }).nullish(),
    })
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  previous_response_id: absent('responses are not stored: send the whole conversation as input'),
  conversation: absent('conversations are not stored: send the whole conversation as input'),
};

export const compatibleResponsesBody = z
  .looseObject({
    ...asked,
    include: z.array(z.string().max(NAME_CHARS_MAX)).max(INCLUDES_MAX).nullish(),
    stream: z.boolean().nullish(),
    max_output_tokens: z.int().min(1).max(2_147_483_647).nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    store: z.literal(false, { error: 'responses are not stored: send store: false, or leave it out' }).nullish(),
    background: z
      .literal(false, { error: 'background responses are not supported: they would have to be stored' })
      .nullish(),
    context_management: absent('compaction is not supported: its cost has no bound'),
    moderation: absent('moderation is not supported: it has no price'),
    prompt: absent('prompt templates are not stored: send the instructions themselves'),
    top_logprobs: z.int().min(0).max(20).nullish(),
    service_tier: z
      .enum(['auto', 'default', 'flex'], { error: 'this service tier is not supported: it has no price' })
      .nullish(),
    metadata: jsonObject.nullish(),
  })
  .superRefine(checkToolChoice);

/** Body of `POST /v1/responses/input_tokens`. */
export const responsesInputTokensBody = z.looseObject(asked).superRefine(checkToolChoice);

export const countResponseTokensResponse = z.object({
  object: z.literal('response.input_tokens'),
  input_tokens: z.int(),
});

export type CompatibleResponsesBody = z.output<typeof compatibleResponsesBody>;
export type ResponsesInputItem = z.output<typeof responsesInputItem>;
export type ResponsesContentPart = z.output<typeof responsesContentPart>;

function checkToolChoice(body: Pick<CompatibleResponsesBody, 'tools' | 'tool_choice'>, ctx: z.RefinementCtx): void {
  const { tool_choice: choice } = body;
  const names = new Set((body.tools ?? []).map(({ name }) => name));
  const refuse = (message: string): void => ctx.addIssue({ code: 'custom', path: ['tool_choice'], message });
  if (choice === 'required' && names.size === 0) refuse('required needs at least one tool');
  if (typeof choice !== 'object' || choice === null) return;
  const chosen = choice.type === 'function' ? [choice.name] : choice.tools.map(({ name }) => name);
  const unknown = chosen.find((name) => !names.has(name));
  if (unknown !== undefined) refuse(`names no declared function tool: ${unknown}`);
}
