import { canonicalToolName, underscoredToolName } from '@tollgate/tools';
import { z } from 'zod';
import { jsonObject } from '../values/json-object.js';

/**
 * Body of `POST /responses` (and of one item of a batch, and the request of an `llm.responses` node). Unknown fields
 * are ignored, except inside file parts, where the contract forbids them.
 */

/** Longest text of one field that is a name or an id, not content. */
const NAME_CHARS_MAX = 256;
const STOP_ENTRIES_MAX = 8;
const STOP_CHARS_MAX = 128;
const TOOLS_MAX = 128;
const MESSAGES_MAX = 10_000;
/** Parts of one message. */
const PARTS_MAX = 10_000;

/** Vendors' identifiers plus the local `sandbox`. */
export const PROVIDER_IDS = ['openai', 'anthropic', 'google-ai-studio', 'xai', 'custom', 'sandbox'] as const;
export type ProviderId = (typeof PROVIDER_IDS)[number];

const mimeType = z
  .string()
  // Accepted in any case (RFC 2045, section 5.1), and kept: inference reads the bytes of the request, not this result.
  .max(NAME_CHARS_MAX)
  .regex(
    /^[a-zA-Z0-9][a-zA-Z0-9!#$&^_.+-]*\/[a-zA-Z0-9][a-zA-Z0-9!#$&^_.+-]*$/,
    'must be a media type such as image/png',
  );

const base64 = z.string().min(1).refine(isBase64, 'must be base64');

/** Takes linear time and no regular expression that repeats a group: a body may contain 30 MB of it. */
function isBase64(value: string): boolean {
  if (value.length % 4 !== 0) return false;
  const padding = value.indexOf('=');
  if (padding !== -1 && (padding < value.length - 2 || (padding === value.length - 2 && !value.endsWith('=='))))
    return false;
  return !/[^A-Za-z0-9+/=]/.test(value);
}

export const textPart = z.object({
  type: z.literal('text'),
  text: z.string(),
  logprobs: z.array(z.looseObject({})).optional(),
});

export const filePart = z.strictObject({
  type: z.literal('file'),
  file: z.strictObject({
    data_base64: base64,
    mime_type: mimeType,
    filename: z.string().min(1).max(NAME_CHARS_MAX).optional(),
    size_bytes: z.int().min(0).optional(),
  }),
});

export const contentPart = z.discriminatedUnion('type', [textPart, filePart]);

/** Arguments are the model's JSON text, untouched. */
export const toolCall = z.object({
  id: z.string().min(1).max(NAME_CHARS_MAX),
  type: z.enum(['function', 'web', 'x_search', 'code_execution', 'image_generation']),
  function: z.object({ name: z.string().min(1).max(NAME_CHARS_MAX), arguments: z.string() }).optional(),
});

export const inputMessage = z
  .object({
    type: z.literal('message'),
    role: z.enum(['system', 'user', 'assistant', 'tool']),
    content: z.array(contentPart).max(PARTS_MAX).optional(),
    tool_calls: z.array(toolCall).max(TOOLS_MAX).optional(),
    tool_call_id: z.string().min(1).max(NAME_CHARS_MAX).optional(),
  })
  .superRefine(checkMessage);

function checkMessage(message: z.output<typeof inputMessage>, ctx: z.RefinementCtx): void {
  const hasCalls = message.tool_calls !== undefined && message.tool_calls.length > 0;
  if (hasCalls && message.role !== 'assistant') issue(ctx, ['tool_calls'], 'only assistant messages carry tool_calls');
  if (message.role === 'tool' && !message.tool_call_id) issue(ctx, ['tool_call_id'], 'is required on tool messages');
  if (message.role !== 'tool' && message.tool_call_id)
    issue(ctx, ['tool_call_id'], 'only tool messages carry tool_call_id');
  if (!message.content?.length && !hasCalls) issue(ctx, ['content'], 'is required');
  for (const [index, { type, function: fn }] of (message.tool_calls ?? []).entries()) {
    if (type === 'function' && !fn) issue(ctx, ['tool_calls', index, 'function'], 'is required for a function call');
  }
}

/** A JSON Schema as sent; providers and the normalization of structured output read its contents. */
const jsonSchema = jsonObject;

export const functionName = z
  .string()
  .regex(/^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,127}$/, 'must be 1 to 128 letters, digits, dots, dashes or underscores');

const functionTool = z.object({
  name: functionName,
  description: z.string().optional(),
  parameters: jsonSchema.optional(),
});

/** Tools that the provider runs within a model call: neither this service nor a tool hook sees their calls. */
export const providerToolTypes = ['web', 'x_search', 'code_execution'] as const;

export const tool = z
  .object({
    type: z.enum(['function', ...providerToolTypes, 'image_generation']),
    function: functionTool.optional(),
    web: z.looseObject({}).optional(),
    x_search: z.looseObject({}).optional(),
    code_execution: z.looseObject({}).optional(),
    image_generation: z.object({ model: z.string().min(1).max(NAME_CHARS_MAX) }).optional(),
  })
  .superRefine((value, ctx) => {
    if (value.type === 'function' && !value.function) issue(ctx, ['function'], 'is required for a function tool');
    if (value.type === 'image_generation' && !value.image_generation) {
      issue(ctx, ['image_generation'], 'is required for an image_generation tool');
    }
  });

export const toolChoice = z.object({
  type: z.enum(['auto', 'required', 'none']),
  function: functionName.optional(),
});

export const outputFormat = z
  .object({
    type: z.enum(['text', 'json_schema', 'json_object']),
    json_schema: z
      .object({
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, dashes or underscores'),
        description: z.string().optional(),
        schema: jsonSchema,
        strict: z.boolean().optional(),
      })
      .optional(),
  })
  .superRefine((value, ctx) => {
    if (value.type === 'json_schema' && !value.json_schema)
      issue(ctx, ['json_schema'], 'is required for type json_schema');
  });

export const responsesBody = z
  .object({
    input: z.array(inputMessage).min(1).max(MESSAGES_MAX),
    model: z.string().min(1).max(NAME_CHARS_MAX).optional(),
    provider: z.enum(PROVIDER_IDS).optional(),
    output_format: outputFormat.optional(),
    max_output_tokens: z.int().min(1).max(2_147_483_647).optional(),
    temperature: z.number().min(0).max(2).optional(),
    stop: z.array(z.string().min(1).max(STOP_CHARS_MAX)).max(STOP_ENTRIES_MAX).optional(),
    tools: z.array(tool).max(TOOLS_MAX).optional(),
    tool_choice: toolChoice.optional(),
    state_id: z.uuid().optional(),
    session_id: z.uuid().optional(),
    reasoning_effort: z.enum(['none', 'low', 'medium', 'high']).optional(),
  })
  .superRefine(checkTools);

export type ResponsesBody = z.output<typeof responsesBody>;
export type InputMessage = z.output<typeof inputMessage>;
export type ContentPart = z.output<typeof contentPart>;
export type FilePart = z.output<typeof filePart>;
export type ToolCall = z.output<typeof toolCall>;
export type Tool = z.output<typeof tool>;
export type ToolChoice = z.output<typeof toolChoice>;
export type OutputFormat = z.output<typeof outputFormat>;

function checkTools(body: ResponsesBody, ctx: z.RefinementCtx): void {
  if (body.state_id && body.session_id) issue(ctx, ['session_id'], 'state_id and session_id cannot be combined');
  const tools = body.tools ?? [];
  const names = declaredNames(tools, ctx);
  const choice = body.tool_choice;
  if (!choice) return;
  if (choice.type === 'required' && tools.length === 0) issue(ctx, ['tool_choice'], 'required needs at least one tool');
  if (choice.function && !names.has(underscoredToolName(choice.function))) {
    issue(ctx, ['tool_choice', 'function'], `names no declared function tool: ${choice.function}`);
  }
}

/** Names that a model may call, with underscores: the two spellings of a name are one. */
function declaredNames(tools: readonly Tool[], ctx: z.RefinementCtx): Set<string> {
  const names = new Set<string>();
  const images = tools.filter(({ type }) => type === 'image_generation');
  if (images.length > 0) names.add('image_generation');
  for (const [index, tool] of tools.entries()) {
    if (tool === images[1]) issue(ctx, ['tools', index], 'at most one image_generation tool');
    if (tool.type !== 'function' || !tool.function) continue;
    const { name } = tool.function;
    const path = ['tools', index, 'function', 'name'];
    if (names.has(underscoredToolName(name))) issue(ctx, path, `is declared twice: ${name}`);
    else if (canonicalToolName(name) === 'image_generation')
      issue(ctx, path, 'is a tool of type image_generation, which names its model');
    names.add(underscoredToolName(name));
  }
  return names;
}

function issue(ctx: z.RefinementCtx, path: PropertyKey[], message: string): void {
  ctx.addIssue({ code: 'custom', path, message });
}

/** Counters of an answer; the optional ones only when a provider reports them. */
export const responseUsage = z.object({
  input_tokens: z.int(),
  output_tokens: z.int(),
  total_tokens: z.int(),
  cache_read_input_tokens: z.int().optional(),
  cache_write_input_tokens: z.int().optional(),
  reasoning_tokens: z.int().optional(),
  /** Searches that the provider made itself, which are charged individually. */
  web_search_requests: z.int().optional(),
  /** The provider reported no usage; Tollgate counted it. */
  estimated: z.boolean().optional(),
});

/** A `tool` message is the result of a server-side tool whose call is in the message before it. */
export const outputMessage = z.object({
  type: z.literal('message'),
  role: z.enum(['assistant', 'tool']),
  content: z.array(contentPart),
  tool_calls: z.array(toolCall).optional(),
  tool_call_id: z.string().optional(),
});

/** Result of a server-side tool: its JSON, or `{error: {code, message}}`. */
export const toolResult = z.object({
  tool_call_id: z.string(),
  name: z.string(),
  output: z.unknown(),
});

/** A source of the answer. */
export const citation = z.object({ title: z.string(), url: z.string() });

/** Answer of `POST /responses`. */
export const responseResource = z.object({
  id: z.string(),
  output: z.array(outputMessage),
  model: z.string(),
  provider: z.string(),
  stop_reason: z.string(),
  usage: responseUsage,
  citations: z.array(citation).optional(),
  /** Tools that the service ran for this answer, in order. */
  tool_results: z.array(toolResult).optional(),
});

export type ResponseResource = z.output<typeof responseResource>;
export type ResponseUsage = z.output<typeof responseUsage>;
