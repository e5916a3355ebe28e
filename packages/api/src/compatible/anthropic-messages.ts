import { z } from 'zod';
import { jsonObject } from '../values/json-object.js';
import { type MessagesMessage, messagesMessage, messagesSystem } from './anthropic-messages-blocks.js';
import { type MessagesTool, messagesTool } from './anthropic-messages-tools.js';

/**
 * Body of `POST /v1/messages`. Loose: further fields go to Anthropic unchanged, and other providers may ignore them as hints
 * (`metadata`, `cache_control`). Features that would require storage, or that have no price, are rejected.
 * Source: the request types of the official `@anthropic-ai/sdk` client library, version 1.12.
 */

const MESSAGES_MAX = 10_000;
const TOOLS_MAX = 1_024;
const NAME_CHARS_MAX = 256;
const STOP_ENTRIES_MAX = 8;
const STOP_CHARS_MAX = 128;
const CONTEXT_EDITS_MAX = 16;

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

const messagesFormat = z.looseObject({ type: z.literal('json_schema'), schema: jsonObject });

export type MessagesFormat = z.output<typeof messagesFormat>;

/** Fields that the input token count shares with the request itself. */
const asked = {
  model: z.string().min(1).max(NAME_CHARS_MAX).optional(),
  messages: z.array(messagesMessage).min(1).max(MESSAGES_MAX),
  system: messagesSystem.nullish(),
  tools: z.array(messagesTool).max(TOOLS_MAX).nullish(),
  tool_choice: messagesToolChoice.nullish(),
  thinking: messagesThinking.nullish(),
  output_config: z
    .looseObject({
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(),
      format: messagesFormat.nullish(),
    })
    .nullish(),
  /** The place of `output_config.format` before the feature had left its beta. */
  output_format: messagesFormat.nullish(),
};

/** Returns the form of the answer that a body asks for, and the path of its field. */
export function findFormat({
  output_config: config,
  output_format: earlier,
}: Pick<MessagesBody, 'output_config' | 'output_format'>): { format: MessagesFormat; field: string } | undefined {
  if (config?.format) return { format: config.format, field: 'output_config.format' };
  return earlier ? { format: earlier, field: 'output_format' } : undefined;
}

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
/** Returns all tools of a body: those that it declares, and those that messages add. */
export function listMessagesTools({ tools, messages }: Pick<MessagesBody, 'tools' | 'messages'>): MessagesTool[] {
  return [...(tools ?? []), ...messages.flatMap(addedTools)];
}

function addedTools(message: MessagesMessage): MessagesTool[] {
  if (message.role !== 'system' || typeof message.content === 'string') return [];
  return message.content.flatMap((block) => {
    return block.type === 'tool_addition' && block.tool.type === 'tool_definition' ? [block.tool.definition] : [];
  });
}

function checkToolChoice(body: Pick<MessagesBody, 'messages' | 'tools' | 'tool_choice'>, ctx: z.RefinementCtx): void {
  const { tool_choice: choice } = body;
  if (choice?.type !== 'any' && choice?.type !== 'tool') return;
  const tools = listMessagesTools(body);
  const refuse = (message: string): void => ctx.addIssue({ code: 'custom', path: ['tool_choice'], message });
  if (choice.type === 'any' && tools.length === 0) refuse('any needs at least one tool');
  if (choice.type === 'tool' && !tools.some(({ name }) => name === choice.name)) {
    refuse(`names no declared tool: ${choice.name}`);
  }
}
