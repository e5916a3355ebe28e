import { z } from 'zod';
import { jsonObject } from '../values/json-object.js';

/**
 * Body of `POST /v1/messages`. Loose: further fields go to Anthropic unchanged, and other providers may ignore them as hints
 * (`metadata`, `cache_control`). Features that would require storage, or that have no price, are rejected.
 * Source: the request types of the official `@anthropic-ai/sdk` client library, version 1.11.
 */

const MESSAGES_MAX = 10_000;
/** Blocks of one message or tool result. */
const BLOCKS_MAX = 10_000;
const TOOLS_MAX = 1_024;
const NAME_CHARS_MAX = 256;
const STOP_ENTRIES_MAX = 8;
const STOP_CHARS_MAX = 128;
const URL_CHARS_MAX = 8_192;
const CONTEXT_EDITS_MAX = 16;

const base64Source = z.looseObject({
  type: z.literal('base64'),
  data: z.string().min(1),
  media_type: z.string().min(1).max(NAME_CHARS_MAX),
});

function unsupportedType(what: string) {
  return ({ code, input }: { code?: string; input?: unknown }): string | undefined =>
    code === 'invalid_union' ? `${what} of type ${String((input as { type?: unknown } | null)?.type)}` : undefined;
}

/** Anthropic fetches it; inference rejects it for other providers. */
const urlSource = z.looseObject({
  type: z.literal('url'),
  url: z
    .string()
    .max(URL_CHARS_MAX)
    .regex(/^https:\/\//i, 'must be an https: URL'),
});

const imageSource = z.discriminatedUnion('type', [base64Source, urlSource], {
  error: unsupportedType('images must be sent as base64 or by URL, not from a source'),
});

const textBlock = z.looseObject({ type: z.literal('text'), text: z.string() });
const imageBlock = z.looseObject({ type: z.literal('image'), source: imageSource });
const documentBlock = z.looseObject({
  type: z.literal('document'),
  title: z.string().nullish(),
  context: z.string().nullish(),
  source: z.discriminatedUnion(
    'type',
    [
      base64Source,
      z.looseObject({ type: z.literal('text'), data: z.string() }),
      z.looseObject({
        type: z.literal('content'),
        content: z.union([z.string(), z.array(z.discriminatedUnion('type', [textBlock, imageBlock])).max(BLOCKS_MAX)]),
      }),
    ],
    { error: unsupportedType('documents must be sent as base64, text or content, not from a source') },
  ),
});
const searchResultBlock = z.looseObject({
  type: z.literal('search_result'),
  source: z.string(),
  title: z.string(),
  content: z.array(textBlock),
});
const toolUseBlock = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string().min(1).max(NAME_CHARS_MAX),
  name: z.string().min(1).max(NAME_CHARS_MAX),
  input: z.unknown(),
});
const toolResultBlock = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().min(1).max(NAME_CHARS_MAX),
  content: z
    .union([
      z.string(),
      z.array(
        z.discriminatedUnion('type', [textBlock, imageBlock, documentBlock, searchResultBlock], {
          error: unsupportedType('tool results must not contain blocks'),
        }),
      ),
    ])
    .optional(),
  is_error: z.boolean().optional(),
});
/** Reasoning of a model: signed for Anthropic, not usable by another provider. */
const thinkingBlock = z.looseObject({ type: z.literal('thinking') });
const redactedThinkingBlock = z.looseObject({ type: z.literal('redacted_thinking') });

export const messagesUserBlock = z.discriminatedUnion(
  'type',
  [textBlock, imageBlock, documentBlock, searchResultBlock, toolResultBlock],
  { error: unsupportedType('user messages must not contain blocks') },
);
export const messagesAssistantBlock = z.discriminatedUnion(
  'type',
  [textBlock, toolUseBlock, thinkingBlock, redactedThinkingBlock],
  { error: unsupportedType('assistant messages must not contain blocks') },
);

export const messagesMessage = z.discriminatedUnion('role', [
  z.looseObject({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(messagesUserBlock).max(BLOCKS_MAX)]),
  }),
  z.looseObject({
    role: z.literal('assistant'),
    content: z.union([z.string(), z.array(messagesAssistantBlock).max(BLOCKS_MAX)]),
  }),
  z.looseObject({ role: z.literal('system'), content: z.union([z.string(), z.array(textBlock).max(BLOCKS_MAX)]) }),
]);

/** Client tools only; those that run at Anthropic have another `type`. */
export const messagesTool = z.looseObject({
  type: z.literal('custom', { error: 'only client tools with an input_schema are supported' }).nullish(),
  name: z.string().regex(/^[a-zA-Z0-9_.-]{1,128}$/, 'must be 1 to 128 letters, digits, dots, dashes or underscores'),
  description: z.string().nullish(),
  input_schema: jsonObject,
});

const sequentially = { disable_parallel_tool_use: z.boolean().optional() };

export const messagesToolChoice = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('auto'), ...sequentially }),
  z.looseObject({ type: z.literal('any'), ...sequentially }),
  z.looseObject({ type: z.literal('tool'), name: z.string().min(1), ...sequentially }),
  z.looseObject({ type: z.literal('none') }),
]);

export const messagesThinking = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1) }),
  z.looseObject({ type: z.literal('disabled') }),
  z.looseObject({ type: z.literal('adaptive') }),
  z.looseObject({ type: z.literal('between_tools') }),
]);

/** Parts to remove from a long conversation. */
export const messagesContextManagement = z.looseObject({
  edits: z
    .array(
      z.looseObject({
        type: z.string().regex(/^clear_(tool_uses|thinking)_\d{8}$/, 'is not a supported edit'),
      }),
    )
    .max(CONTEXT_EDITS_MAX)
    .nullish(),
});

/** Fields that the input token count shares with the request itself. */
const asked = {
  model: z.string().min(1).max(NAME_CHARS_MAX).optional(),
  messages: z.array(messagesMessage).min(1).max(MESSAGES_MAX),
  system: z.union([z.string(), z.array(textBlock).max(BLOCKS_MAX)]).nullish(),
  tools: z.array(messagesTool).max(TOOLS_MAX).nullish(),
  tool_choice: messagesToolChoice.nullish(),
  thinking: messagesThinking.nullish(),
  output_config: z
    .looseObject({
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(),
      format: z.looseObject({ type: z.literal('json_schema'), schema: jsonObject }).nullish(),
    })
    .nullish(),
};

const absent = (why: string) => z.null({ error: why }).optional();

export const messagesBody = z
  .looseObject({
    ...asked,
    max_tokens: z.int().min(1).max(2_147_483_647),
    stream: z.boolean().nullish(),
    stop_sequences: z.array(z.string().min(1).max(STOP_CHARS_MAX)).max(STOP_ENTRIES_MAX).nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    top_k: z.int().min(0).nullish(),
    diagnostics: z.looseObject({ previous_message_id: absent('messages are not stored') }).nullish(),
    container: absent('containers are not supported'),
    mcp_servers: z.array(z.unknown()).max(0, 'MCP servers are not supported').nullish(),
    context_management: messagesContextManagement.nullish(),
    compaction: absent('compaction is not supported: its cost has no bound'),
    fallbacks: absent('other models have other prices: send one request per model'),
    fallback_credit_token: absent('credits of other requests are not stored'),
    billing_policy: absent('billing_policy is not supported: Tollgate bills the request'),
    thread: absent('messages are not stored: send the whole conversation'),
    speed: z.literal('standard', { error: 'this speed is not supported: it has no price' }).nullish(),
    inference_geo: z.literal('global', { error: 'this region is not supported: it has no price' }).nullish(),
  })
  .superRefine(checkToolChoice);

/** Body of `POST /v1/messages/count_tokens`. */
export const countMessageTokensBody = z.looseObject(asked).superRefine(checkToolChoice);

export const countMessageTokensResponse = z.object({ input_tokens: z.int() });

export type MessagesBody = z.output<typeof messagesBody>;
export type MessagesMessage = z.output<typeof messagesMessage>;
export type MessagesUserBlock = z.output<typeof messagesUserBlock>;
export type MessagesAssistantBlock = z.output<typeof messagesAssistantBlock>;
export type MessagesToolResult = z.output<typeof toolResultBlock>;
export type MessagesImageSource = z.output<typeof imageSource>;
export type MessagesDocument = z.output<typeof documentBlock>;

function checkToolChoice(body: Pick<MessagesBody, 'tools' | 'tool_choice'>, ctx: z.RefinementCtx): void {
  const { tool_choice: choice } = body;
  const tools = body.tools ?? [];
  const refuse = (message: string): void => ctx.addIssue({ code: 'custom', path: ['tool_choice'], message });
  if (choice?.type === 'any' && tools.length === 0) refuse('any needs at least one tool');
  if (choice?.type === 'tool' && !tools.some(({ name }) => name === choice.name)) {
    refuse(`names no declared tool: ${choice.name}`);
  }
}
