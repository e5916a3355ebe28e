import { z } from 'zod';
import { responsesTools } from './compatible-responses-tools.js';
import { refusedPart, vendorPart } from './vendor-parts.js';

/** Items of the input of `POST /v1/responses`. Source: `ResponseInputItem` of the `openai` client library 7.57. */

/** Parts of one item. */
const PARTS_MAX = 10_000;
const NAME_CHARS_MAX = 256;

const absent = (why: string) => z.null({ error: why }).optional();
const notKept = 'uploaded files cannot be referred to: send the data itself';

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

const name = z.string().min(1).max(NAME_CHARS_MAX);
const outputs = z.union([z.string(), z.array(responsesContentPart).max(PARTS_MAX)]);
/** Of the tool, if it has one. */
const inNamespace = { name, namespace: z.string().max(NAME_CHARS_MAX).nullish() };

const messageItem = z.looseObject({
  type: z.literal('message').optional(),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: z.union([z.string(), z.array(responsesContentPart).max(PARTS_MAX)]),
});
const functionCall = z.looseObject({
  type: z.literal('function_call'),
  call_id: name,
  ...inNamespace,
  arguments: z.string(),
});
const customToolCall = z.looseObject({
  type: z.literal('custom_tool_call'),
  call_id: name,
  ...inNamespace,
  input: z.string(),
});
const localShellCall = z.looseObject({
  type: z.literal('local_shell_call'),
  id: name.nullish(),
  call_id: name,
  action: z.looseObject({ command: z.array(z.string()) }),
});
const toolSearchCall = z.looseObject({
  type: z.literal('tool_search_call'),
  call_id: name.nullish(),
  execution: z.enum(['server', 'client']).nullish(),
  arguments: z.unknown(),
});
const callOutput = z.looseObject({
  type: z.enum(['function_call_output', 'custom_tool_call_output']),
  call_id: name,
  output: outputs,
});
/** `id` is that of the call item; older clients send `call_id`. */
const localShellOutput = z.looseObject({
  type: z.literal('local_shell_call_output'),
  id: name.nullish(),
  call_id: name.nullish(),
  output: z.string(),
});
const toolSearchOutput = z.looseObject({
  type: z.literal('tool_search_output'),
  call_id: name.nullish(),
  tools: responsesTools,
});
const additionalTools = z.looseObject({ type: z.literal('additional_tools'), tools: responsesTools });
/** Reasoning of a model: encrypted for OpenAI, not usable by another provider. */
const reasoningItem = z.looseObject({ type: z.literal('reasoning') });
/** A search that the vendor made: its text is part of the answer that followed. */
const webSearchCall = z.looseObject({ type: z.literal('web_search_call') });

const knownTypes = [
  'message',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'reasoning',
  'additional_tools',
  'local_shell_call',
  'local_shell_call_output',
  'tool_search_call',
  'tool_search_output',
  'web_search_call',
];

/** Items that cost more than their tokens, or that the vendor would have to look up, with the reasons. */
const refusedItems: Record<string, string> = {
  compaction_trigger: 'the cost of compaction has no bound',
  mcp_approval_response: 'remote servers are not called',
};

const knownItems = [
  messageItem,
  functionCall,
  callOutput,
  reasoningItem,
  customToolCall,
  additionalTools,
  localShellCall,
  localShellOutput,
  toolSearchCall,
  toolSearchOutput,
  webSearchCall,
] as const;
/** An item of a stored response, by its id. */
const itemReference = z.looseObject({ type: z.literal('item_reference'), id: name });

const sentTypes = [...knownTypes, 'item_reference'];
const refused = { error: refusedPart('the input must not contain items', sentTypes, refusedItems) };

/** An item that a model reads. */
export const expandedResponsesItem = z.union([
  z.discriminatedUnion('type', knownItems, refused),
  vendorPart(sentTypes, refusedItems),
]);

/** An item as clients send it. */
export const responsesInputItem = z.union([
  z.discriminatedUnion('type', [...knownItems, itemReference], refused),
  vendorPart(sentTypes, refusedItems),
]);

export type ResponsesInputItem = z.output<typeof expandedResponsesItem>;
export type ResponsesSentItem = z.output<typeof responsesInputItem>;
export type ResponsesContentPart = z.output<typeof responsesContentPart>;
