import {
  documentHeading,
  findFormat,
  inputOfMessages,
  isCustomTool,
  listMessagesTools,
  type MessagesAssistantBlock,
  type MessagesBody,
  type MessagesDocument,
  type MessagesImageSource,
  type MessagesMessage,
  type MessagesSystemBlock,
  type MessagesTool,
  type MessagesToolResult,
  type MessagesUserBlock,
  searchResultText,
  systemText,
  toolKind,
  toolReferenceText,
  toolResultHeading,
} from '@tollgate/api/compatible';
import type { ToolCall } from '@tollgate/api/model-requests';
import type { AppError } from '@tollgate/errors';
import { writeExactJson } from '@tollgate/runtime';
import { closeSchema } from '../../domain/closed-schema.js';
import type { ModelMessage, ModelPart, ModelRequest } from '../../domain/model-request.js';
import { isSet, listCommon, type RequestedParameter, toSampling } from '../../domain/optional-parameters.js';
import { joinTexts, textParts } from '../content-parts.js';
import type { Capability, Dialect } from '../dialect.js';
import { listUnknown } from '../known-members.js';
import { budgetEffort, toReasoningEffort } from '../reasoning-effort.js';
import { vendorOnly } from '../refused.js';
import { messageAnswer, withUsage } from './messages-answer.js';
import { MessagesStreamWriter } from './messages-stream-writer.js';
import { offeredTools, providerTools } from './offered-tools.js';

/** `POST /v1/messages`. */
export const messagesDialect: Dialect<MessagesBody> = {
  forwardable: 'anthropic-messages',
  // The vendor does not allow dots in tool names.
  canForward: (body) => !listMessagesTools(body).some(({ name }) => name?.includes('.')),
  capabilities: findCapabilities,
  toModelRequest,
  parameters: findParameters,
  isReasoningOff: ({ thinking }) => thinking?.type === 'disabled',
  input: inputOfMessages,
  modelName: (body, modelId) => body.model ?? modelId,
  writeAnswer: messageAnswer,
  withUsage,
  openStream: (info, _body, countInput) => new MessagesStreamWriter(info, countInput),
};

/** Returns the capabilities that the body needs of its model. */
function findCapabilities(body: MessagesBody): Capability[] {
  const needed = new Set<Capability>();
  for (const { role, content } of body.messages) {
    if (role === 'user' && typeof content !== 'string') addOfBlocks(content, needed);
  }
  for (const tool of listMessagesTools(body)) needed.add(capabilityOfTool(tool));
  if (findFormat(body)) needed.add('structured_output');
  return [...needed];
}

function capabilityOfTool(tool: MessagesTool): Capability {
  return !isCustomTool(tool) && toolKind(tool.type) === 'search' ? 'web_search' : 'tool_use';
}

type Block = MessagesUserBlock | Exclude<NonNullable<MessagesToolResult['content']>, string>[number];

function addOfBlocks(blocks: readonly Block[], needed: Set<Capability>): void {
  for (const block of blocks) {
    if (block.type === 'image') needed.add('vision');
    else if (block.type === 'tool_result' && typeof block.content === 'object') addOfBlocks(block.content, needed);
    else if (block.type === 'document') {
      const { source } = block;
      if (source.type === 'base64') needed.add('document');
      else if (source.type === 'content' && typeof source.content !== 'string') addOfBlocks(source.content, needed);
    }
  }
}

type UserBlock =
  | Exclude<MessagesUserBlock, { type: 'tool_result' }>
  | Exclude<NonNullable<MessagesToolResult['content']>, string>[number];

/** Converts a body of /v1/messages. @throws AppError for parts that cannot be converted */
function toModelRequest(body: MessagesBody): ModelRequest {
  refuseVendorOnly(body);
  const choice = body.tool_choice;
  const searches = providerTools(body);
  const isSequential = choice && choice.type !== 'none' && choice.disable_parallel_tool_use === true;
  return {
    messages: [...systemMessages(body.system), ...body.messages.flatMap(toMessages)],
    tools: offeredTools(body),
    toolChoice: toToolChoice(choice),
    outputFormat: toOutputFormat(body),
    temperature: body.temperature ?? undefined,
    topP: body.top_p ?? undefined,
    stop: body.stop_sequences ?? [],
    reasoningEffort: toEffort(body),
    ...(searches.length > 0 ? { providerTools: searches } : {}),
    ...(isSequential ? { parallelToolCalls: false } : {}),
    ...toSampling(findParameters(body)),
  };
}

/** Returns the optional parameters that the body sets. */
function findParameters(body: MessagesBody): RequestedParameter[] {
  const { top_k: value, temperature, top_p: topP } = body;
  const topK: RequestedParameter[] = isSet(value) ? [{ parameter: 'top_k', field: 'top_k', value }] : [];
  return [...topK, ...listCommon({ temperature, topP }), ...listUnknown('messages', body)];
}

/** Earlier thinking is always left out, so a request to clear it needs nothing more. */
function refuseVendorOnly({ context_management: context }: MessagesBody): void {
  if (context?.edits?.some(({ type }) => !type.startsWith('clear_thinking_'))) {
    throw vendorOnly('context_management.edits', 'this model reads the whole conversation: leave results out yourself');
  }
}

function systemMessages(system: MessagesBody['system']): ModelMessage[] {
  return system && system.length > 0 ? [message('system', textParts(systemText(system)))] : [];
}

function toMessages({ role, content }: MessagesMessage): ModelMessage[] {
  if (typeof content === 'string') return [message(role, textParts(content))];
  if (role === 'assistant') return [assistantMessage(content)];
  if (role === 'user') return userMessages(content);
  return [message('system', joinTexts(content.flatMap(systemPart)))];
}

/** Changes of tools are part of the offered tools. */
function systemPart(block: MessagesSystemBlock): ModelPart[] {
  return block.type === 'text' ? [{ type: 'text', text: block.text }] : [];
}

/** Leaves out thinking and the vendor's own tools: another provider cannot use them. */
function assistantMessage(blocks: readonly MessagesAssistantBlock[]): ModelMessage {
  const texts: ModelPart[] = [];
  const toolCalls: ToolCall[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
        texts.push({ type: 'text', text: block.text });
        break;
      case 'tool_use': {
        const { id, name, input } = block;
        toolCalls.push({ id, type: 'function', function: { name, arguments: writeExactJson(input ?? {}) } });
        break;
      }
      case 'thinking':
      case 'redacted_thinking':
      case 'server_tool_use':
      case 'web_search_tool_result':
      case 'web_fetch_tool_result':
      case 'tool_search_tool_result':
      case 'code_execution_tool_result':
      case 'bash_code_execution_tool_result':
      case 'text_editor_code_execution_tool_result':
        break;
      default:
        throw unknownBlock(block);
    }
  }
  return { ...message('assistant', joinTexts(texts)), toolCalls };
}

/** Puts tool results first, each in its own message, then everything else, with the results' files: not every provider accepts files as tool output. */
function userMessages(blocks: readonly MessagesUserBlock[]): ModelMessage[] {
  const results: ModelMessage[] = [];
  const rest: ModelPart[] = [];
  let hasRest = false;
  for (const block of blocks) {
    if (block.type === 'tool_result') {
      const { texts, files } = resultParts(block);
      results.push({ ...message('tool', texts), toolCallId: block.tool_use_id });
      rest.push(...files);
      hasRest ||= files.length > 0;
    } else {
      rest.push(...toParts(block));
      hasRest = true;
    }
  }
  return hasRest ? [...results, message('user', joinTexts(rest))] : results;
}

function resultParts(block: MessagesToolResult): { texts: ModelPart[]; files: ModelPart[] } {
  const { content = '' } = block;
  const heading: ModelPart = { type: 'text', text: toolResultHeading(block) };
  const parts = typeof content === 'string' ? textParts(content) : content.flatMap(toParts);
  return {
    texts: joinTexts([heading, ...parts.filter(({ type }) => type === 'text')]),
    files: parts.filter(({ type }) => type !== 'text'),
  };
}

function toParts(block: UserBlock): ModelPart[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }];
    case 'image':
      return [imagePart(block.source)];
    case 'search_result':
      return [{ type: 'text', text: searchResultText(block) }];
    case 'document':
      return [{ type: 'text', text: documentHeading(block) }, ...documentParts(block)];
    case 'tool_reference':
      return [{ type: 'text', text: toolReferenceText(block) }];
    default:
      throw unknownBlock(block);
  }
}

function unknownBlock({ type }: { type: string }): AppError {
  return vendorOnly('messages', `this model does not support blocks of type ${type}`);
}

function imagePart(source: MessagesImageSource): ModelPart {
  if (source.type === 'url') return { type: 'linked_image', url: source.url, field: 'messages' };
  return { type: 'file', file: { data_base64: source.data, mime_type: source.media_type } };
}

function documentParts({ source, title }: MessagesDocument): ModelPart[] {
  switch (source.type) {
    case 'text':
      return [{ type: 'text', text: source.data }];
    case 'base64': {
      const file = { data_base64: source.data, mime_type: source.media_type };
      return [{ type: 'file', file: title ? { ...file, filename: title } : file }];
    }
    case 'content':
      return typeof source.content === 'string' ? textParts(source.content) : source.content.flatMap(toParts);
  }
}

function message(role: ModelMessage['role'], content: readonly ModelPart[]): ModelMessage {
  return { role, content, toolCalls: [], toolCallId: undefined };
}

function toToolChoice(choice: MessagesBody['tool_choice']): ModelRequest['toolChoice'] {
  switch (choice?.type) {
    case 'any':
      return { type: 'required' };
    case 'tool':
      return { type: 'required', function: choice.name };
    default:
      return choice ? { type: choice.type } : undefined;
  }
}

function toOutputFormat(body: MessagesBody): ModelRequest['outputFormat'] {
  const asked = findFormat(body);
  if (!asked) return undefined;
  const schema = closeSchema(asked.format.schema, `${asked.field}.schema`);
  return { type: 'json_schema', json_schema: { name: 'output', schema, strict: true } };
}

/** Returns the named effort, or else the thinking budget as one of our three steps. */
function toEffort({ output_config: config, thinking }: MessagesBody): ModelRequest['reasoningEffort'] {
  if (config?.effort) return toReasoningEffort(config.effort, 'output_config.effort');
  if (thinking?.type === 'disabled') return 'none';
  return thinking?.type === 'enabled' ? budgetEffort(thinking.budget_tokens) : undefined;
}
