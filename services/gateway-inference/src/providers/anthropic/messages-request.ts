import type { FilePart, ToolCall } from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import { closeSchema } from '../../domain/closed-schema.js';
import {
  type ModelMessage,
  type ModelPart,
  type ModelRequest,
  messageText,
  type ProviderTool,
} from '../../domain/model-request.js';
import type { ModelCall } from '../contract/provider.js';
import { filterObjects } from '../convert/answer-reading.js';
import { toArgumentsSchema } from '../convert/arguments-schema.js';
import { ensureTurn, FILLER, orderMessages, withoutBlankTexts } from '../convert/conversation.js';
import { toFileType } from '../convert/file-type.js';
import { toSchemaDialect } from '../convert/schema-dialect.js';
import { thinkingBudget } from '../convert/thinking-budget.js';
import { toolArguments, toolName } from '../convert/tool-names.js';
import { JSON_INSTRUCTION } from '../listen/check-json.js';
import { findContainer, findKeptMessage, isToolUse } from './messages-answer.js';
import { findTraits, type ModelTraits } from './model-traits.js';
import { type ForcedTool, findForced, outputSchemaDialect, toAnswerSchema } from './structured-output.js';

/** Most searches of one answer; the hold covers as many. */
const SEARCHES_MAX = 5;
/** Smallest budget that the vendor accepts. */
const THINKING_TOKENS_MIN = 1_024;
const budgets = { low: 1_024, medium: 8_192, high: 24_576 } as const;

/** Whether the vendor does not accept a stop sequence: one of white space. The service watches for it. */
export function isBlank(stop: string): boolean {
  return stop.trim() === '';
}

/** Converts a request to the body of `POST /v1/messages`. Source: MessageCreateParams of `@anthropic-ai/sdk` 1.11. */
export function messagesRequest(call: ModelCall): JsonObject {
  const request = call.request();
  const traits = findTraits(call.upstreamModel);
  const messages = ensureTurn(withoutBlankTexts(request.messages));
  const turns = endTurns(toMessages(messages, call.upstreamModel), traits);
  const body: JsonObject = {
    model: call.upstreamModel,
    max_tokens: call.maxOutputTokens,
    messages: turns,
  };
  const system = systemPrompt(messages);
  if (system !== '') body.system = system;
  const container = findContainer(request.messages, call.upstreamModel);
  if (container !== undefined) body.container = container;
  if (call.isStream) body.stream = true;
  const stop = request.stop.filter((each) => !isBlank(each));
  if (stop.length > 0) body.stop_sequences = stop;
  addReasoning(body, request, traits, turns);
  addSampling(body, request, traits);
  const forced = traits.canForceTools ? undefined : findForced(request);
  addTools(body, request, forced);
  if (body.tools === undefined) addCalled(body, turns);
  addFormat(body, request, forced);
  return body;
}

function addReasoning(
  body: JsonObject,
  request: ModelRequest,
  traits: ModelTraits,
  turns: readonly WireMessage[],
): void {
  const { reasoningEffort: effort } = request;
  if (effort === undefined) return;
  if (effort === 'none' && traits.thinkingOff) {
    body.thinking = traits.thinkingOff;
  } else if (traits.reasoning === 'effort') {
    body.output_config = { effort: effort === 'none' ? 'low' : effort };
  } else if (traits.reasoning === 'budget' && effort !== 'none') {
    const budget = thinkingBudget(budgets[effort], body.max_tokens as number);
    // The vendor rejects a budget together with a forced tool choice, for an answer that it continues, and for one whose thinking
    // the client or another provider did not keep.
    const isAnswer = turns.at(-1)?.role === 'user' && !lacksThinking(turns);
    const isTaken = budget >= THINKING_TOKENS_MIN && isAnswer && !isToolForced(request);
    if (isTaken) body.thinking = { type: 'enabled', budget_tokens: budget };
  }
}

/** Limits the temperature to the vendor's maximum of 1, and omits it with a thinking budget, which does not allow it. */
function addSampling(
  body: JsonObject,
  { temperature, topP, sampling }: ModelRequest,
  { hasSampling }: ModelTraits,
): void {
  if (!hasSampling || (body.thinking as JsonObject | undefined)?.type === 'enabled') return;
  if (temperature !== undefined) body.temperature = Math.min(temperature, 1);
  else if (topP !== undefined) body.top_p = topP;
  if (sampling?.topK !== undefined) body.top_k = sampling.topK;
}

function addTools(body: JsonObject, request: ModelRequest, forced: ForcedTool | undefined): void {
  const own = request.tools.map((tool) => ({
    name: toolName(tool.name),
    ...(tool.description === undefined ? {} : { description: tool.description }),
    input_schema: toArgumentsSchema(tool.parameters),
  }));
  const tools = [...own, ...(request.providerTools ?? []).map(providerTool)];
  if (tools.length === 0) return;
  body.tools = tools;
  // The model writes the forced call as its answer.
  const choice = forced ? { type: 'none' } : toolChoice(request);
  if (choice) body.tool_choice = choice;
}

/** Declares the tools that the conversation calls, if the request has none any more: the vendor requires them. */
function addCalled(body: JsonObject, turns: readonly WireMessage[]): void {
  const called = listCalled(turns);
  if (called.length === 0) return;
  body.tools = called.map((name) => ({ name, input_schema: toArgumentsSchema(undefined) }));
  body.tool_choice = { type: 'none' };
}

function providerTool({ type, options }: ProviderTool): JsonObject {
  if (type === 'code_execution') return { type: 'code_execution_20250825', name: 'code_execution' };
  const tool: JsonObject = { type: 'web_search_20250305', name: 'web_search', max_uses: SEARCHES_MAX };
  for (const option of ['allowed_domains', 'blocked_domains', 'user_location']) {
    if (options[option] !== undefined) tool[option] = options[option];
  }
  return tool;
}

function toolChoice(request: ModelRequest): JsonObject | undefined {
  const { toolChoice: choice, parallelToolCalls } = request;
  const oneAtATime = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  if (choice?.type === 'none') return { type: 'none' };
  if (!choice || !isToolForced(request))
    return parallelToolCalls === false ? { type: 'auto', ...oneAtATime } : undefined;
  if (choice.function === undefined) return { type: 'any', ...oneAtATime };
  return { type: 'tool', name: toolName(choice.function), ...oneAtATime };
}

function isToolForced({ tools, toolChoice: choice }: ModelRequest): boolean {
  if (tools.length === 0 || choice?.type === 'none') return false;
  return choice?.type === 'required' || choice?.function !== undefined;
}

function addFormat(body: JsonObject, { outputFormat }: ModelRequest, forced: ForcedTool | undefined): void {
  if (!forced && outputFormat?.type === 'json_object') {
    body.system = [body.system, JSON_INSTRUCTION].filter((text) => text !== undefined).join('\n\n');
  }
  if (!forced && outputFormat?.type !== 'json_schema') return;
  const closed = forced ? closedArguments(forced) : closedSchema(outputFormat!.json_schema!.schema);
  const schema = toSchemaDialect(closed, outputSchemaDialect);
  body.output_config = { ...(body.output_config as JsonObject | undefined), format: { type: 'json_schema', schema } };
}

/** Rejects arguments that are maps: a schema of an answer cannot describe them. */
function closedArguments(forced: ForcedTool): JsonObject {
  try {
    return closeSchema(toAnswerSchema(forced), 'parameters', true);
  } catch (error) {
    const message = `this model cannot be forced to call these tools: tool_choice must be auto or none (${(error as AppError).message})`;
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field: 'tool_choice', message }] });
  }
}

/** Rejects open schemas, which the vendor does not accept. */
function closedSchema(schema: JsonObject): JsonObject {
  try {
    return closeSchema(schema, 'schema');
  } catch (error) {
    const { message, fields } = error as AppError;
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields });
  }
}

interface WireMessage {
  role: 'user' | 'assistant';
  content: unknown[];
}

/** Asks a model that does not continue its own message to do so. */
const CONTINUE = { type: 'text', text: 'Continue.' };
const IMAGE_TYPES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** Returns the system prompt: this dialect has one, before the conversation. */
function systemPrompt(messages: readonly ModelMessage[]): string {
  return messages
    .filter(({ role }) => role === 'system')
    .map(messageText)
    .join('\n\n');
}

/** Returns the conversation in alternating turns. Tool results are merged into one user message. */
function toMessages(messages: readonly ModelMessage[], upstreamModel: string): WireMessage[] {
  const turns: WireMessage[] = [];
  for (const message of orderMessages(messages)) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = toContent(message, upstreamModel);
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) turns.push({ role, content });
  }
  return turns[0]?.role === 'assistant' ? [{ role: 'user', content: block(FILLER) }, ...turns] : turns;
}

/**
 * Brings the last turn into a form that the model accepts. The older models continue an assistant's message, if it does not end with white
 * space; to the newer ones, the user says so. A turn that the vendor paused continues by itself.
 */
function endTurns(turns: readonly WireMessage[], { hasPrefill }: ModelTraits): readonly WireMessage[] {
  const last = turns.at(-1);
  const block = last?.role === 'assistant' ? last.content.at(-1) : undefined;
  if (!last || !isJsonObject(block) || block.type !== 'text') return turns;
  if (!hasPrefill) return [...turns, { role: 'user', content: [CONTINUE] }];
  const text = { ...block, text: String(block.text).trimEnd() };
  return [...turns.slice(0, -1), { ...last, content: [...last.content.slice(0, -1), text] }];
}

/** Whether the turn that the model answers calls tools without the thinking that came before, as only this vendor signs it. */
function lacksThinking(turns: readonly WireMessage[]): boolean {
  const last = turns.findLast(({ role }) => role === 'assistant');
  const blocks = filterObjects(last?.content);
  return blocks.some(isToolUse) && !String(blocks[0]?.type).endsWith('thinking');
}

/** Returns the names of the tools that the conversation calls. */
function listCalled(turns: readonly WireMessage[]): string[] {
  const calls = turns.flatMap(({ content }) => filterObjects(content)).filter(isToolUse);
  return [...new Set(calls.map(({ name }) => String(name)))];
}

function toContent(message: ModelMessage, upstreamModel: string): unknown[] {
  const kept = findKeptMessage(message, upstreamModel);
  if (kept) return [...kept.blocks];
  if (message.role === 'tool') return [toolResult(message)];
  return [...message.content.flatMap(block), ...message.toolCalls.map(toolUse)];
}

/** Leaves out texts of nothing but white space, which the vendor rejects. */
function block(part: ModelPart): JsonObject[] {
  if (part.type === 'linked_image') return [{ type: 'image', source: { type: 'url', url: part.url } }];
  if (part.type === 'file') return [fileBlock(part.file)];
  return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
}

function toolResult(message: ModelMessage): JsonObject {
  return {
    type: 'tool_result',
    tool_use_id: wireId(message.toolCallId ?? ''),
    content: message.content.flatMap(block),
  };
}

function toolUse(call: ToolCall): JsonObject {
  const name = toolName(call.function?.name ?? call.type);
  return { type: 'tool_use', id: wireId(call.id), name, input: toolArguments(call) };
}

/** Replaces characters that the vendor does not allow in ids: a call may come from another provider. */
function wireId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_');
}

function fileBlock(file: FilePart['file']): JsonObject {
  const mime = toFileType(file);
  const title = file.filename === undefined ? {} : { title: file.filename };
  if (IMAGE_TYPES.has(mime)) {
    return { type: 'image', source: { type: 'base64', media_type: mime, data: file.data_base64 } };
  }
  if (mime === 'application/pdf') {
    return { type: 'document', source: { type: 'base64', media_type: mime, data: file.data_base64 }, ...title };
  }
  if (mime.startsWith('text/') || mime === 'application/json') {
    const data = Buffer.from(file.data_base64, 'base64').toString('utf8');
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data }, ...title };
  }
  throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', `files of type ${mime} are not supported by this provider`);
}
