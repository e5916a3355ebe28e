import { z } from 'zod';
import { messagesAddedTool } from './anthropic-messages-tools.js';
import { refusedPart, vendorPart } from './vendor-parts.js';

/** Content of the messages of `POST /v1/messages`. Source: the request types of `@anthropic-ai/sdk` 1.12. */

/** Blocks of one message or tool result. */
const BLOCKS_MAX = 10_000;
const NAME_CHARS_MAX = 256;
const URL_CHARS_MAX = 8_192;

const base64Source = z.looseObject({
  type: z.literal('base64'),
  data: z.string().min(1),
  media_type: z.string().min(1).max(NAME_CHARS_MAX),
});

function unsupportedType(what: string) {
  return ({ code, input }: { code?: string; input?: unknown }): string | undefined =>
    code === 'invalid_union' ? `${what} of type ${String((input as { type?: unknown } | null)?.type)}` : undefined;
}

/** The provider reads it, or inference does for providers that read no URLs. */
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

export const messagesTextBlock = z.looseObject({ type: z.literal('text'), text: z.string() });
const textBlock = messagesTextBlock;
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
/** A tool that a search has found, whose definition the model has not read before. */
const toolReferenceBlock = z.looseObject({
  type: z.literal('tool_reference'),
  tool_name: z.string().min(1).max(NAME_CHARS_MAX),
});
const toolResultBlock = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().min(1).max(NAME_CHARS_MAX),
  content: z
    .union([
      z.string(),
      z.array(
        z.discriminatedUnion('type', [textBlock, imageBlock, documentBlock, searchResultBlock, toolReferenceBlock], {
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
/** Calls and results of the vendor's own tools in an earlier answer, which only the vendor reads again. */
const serverToolBlock = z.looseObject({
  type: z.enum([
    'server_tool_use',
    'web_search_tool_result',
    'web_fetch_tool_result',
    'tool_search_tool_result',
    'code_execution_tool_result',
    'bash_code_execution_tool_result',
    'text_editor_code_execution_tool_result',
  ]),
});

/** Types of blocks of some role: they are rejected in messages of another role. */
const knownTypes = [
  ...['text', 'image', 'document', 'search_result', 'tool_use', 'tool_result', 'tool_reference'],
  ...['thinking', 'redacted_thinking', 'tool_addition', 'tool_removal', ...serverToolBlock.shape.type.options],
];
const refusedTypes = {
  container_upload: 'files are not stored',
  compaction: 'compaction is not supported',
  mcp_tool_use: 'MCP servers are not supported',
  mcp_tool_result: 'MCP servers are not supported',
};
const vendorBlock = vendorPart(knownTypes, refusedTypes);

const knownUserBlock = z.discriminatedUnion(
  'type',
  [textBlock, imageBlock, documentBlock, searchResultBlock, toolResultBlock],
  { error: refusedPart('user messages must not contain blocks', knownTypes, refusedTypes) },
);
const knownAssistantBlock = z.discriminatedUnion(
  'type',
  [textBlock, toolUseBlock, thinkingBlock, redactedThinkingBlock, serverToolBlock],
  { error: refusedPart('assistant messages must not contain blocks', knownTypes, refusedTypes) },
);

export const messagesUserBlock = z.union([knownUserBlock, vendorBlock]);
export const messagesAssistantBlock = z.union([knownAssistantBlock, vendorBlock]);

/** Tools that are available from this place of the conversation on, or no longer. */
const toolChange = z.looseObject({
  type: z.enum(['tool_addition', 'tool_removal']),
  tool: z.discriminatedUnion(
    'type',
    [
      z.looseObject({ type: z.literal('tool_reference'), name: z.string().min(1).max(NAME_CHARS_MAX) }),
      z.looseObject({ type: z.literal('tool_definition'), definition: messagesAddedTool }),
    ],
    { error: unsupportedType('tools cannot be changed by references') },
  ),
});
const systemBlock = z.discriminatedUnion('type', [textBlock, toolChange], {
  error: unsupportedType('system messages must not contain blocks'),
});

export const messagesMessage = z.discriminatedUnion('role', [
  z.looseObject({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(messagesUserBlock).max(BLOCKS_MAX)]),
  }),
  z.looseObject({
    role: z.literal('assistant'),
    content: z.union([z.string(), z.array(messagesAssistantBlock).max(BLOCKS_MAX)]),
  }),
  z.looseObject({ role: z.literal('system'), content: z.union([z.string(), z.array(systemBlock).max(BLOCKS_MAX)]) }),
]);

/** The system prompt. */
export const messagesSystem = z.union([z.string(), z.array(textBlock).max(BLOCKS_MAX)]);

export type MessagesMessage = z.output<typeof messagesMessage>;
export type MessagesUserBlock = z.output<typeof messagesUserBlock>;
export type MessagesAssistantBlock = z.output<typeof messagesAssistantBlock>;
export type MessagesSystemBlock = z.output<typeof systemBlock>;
export type MessagesToolResult = z.output<typeof toolResultBlock>;
export type MessagesImageSource = z.output<typeof imageSource>;
export type MessagesDocument = z.output<typeof documentBlock>;
