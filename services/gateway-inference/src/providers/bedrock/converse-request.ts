import { createHash } from 'node:crypto';
import type { FilePart, ProviderId, ToolCall } from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import { closeSchema } from '../../domain/closed-schema.js';
import { type ModelMessage, type ModelPart, type ModelRequest, messageText } from '../../domain/model-request.js';
import { outputSchemaDialect } from '../anthropic/structured-output.js';
import type { ModelCall } from '../contract/provider.js';
import { toArgumentsSchema } from '../convert/arguments-schema.js';
import { ensureTurn, FILLER, orderMessages, withoutBlankTexts } from '../convert/conversation.js';
import { toFileType } from '../convert/file-type.js';
import { toSchemaDialect } from '../convert/schema-dialect.js';
import { toolArguments, toolName } from '../convert/tool-names.js';
import { JSON_INSTRUCTION } from '../listen/check-json.js';
import { toPlainModel } from './bedrock-models.js';
import { findKeptBlocks } from './converse-answer.js';

/** Most stop sequences that all models accept; the service watches for others. Source: Amazon Nova's and Mistral's parameters. */
export const STOPS_MAX = 4;

/**
 * Converts a request to the body of `POST /model/{id}/converse` and `/converse-stream`.
 *
 * Source: ConverseRequest of `@aws-sdk/client-bedrock-runtime` 3.1164 and
 * docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html, read 2026-11-30.
 */
export function converseRequest(call: ModelCall, provider: ProviderId): JsonObject {
  const request = call.request();
  refuseProviderTools(request);
  const messages = ensureTurn(withoutBlankTexts(request.messages));
  const turns = toTurns(messages, provider, call.upstreamModel);
  const body: JsonObject = { messages: turns, inferenceConfig: inferenceConfig(call, request) };
  const system = systemBlocks(messages);
  if (request.outputFormat?.type === 'json_object') system.push({ text: JSON_INSTRUCTION });
  if (system.length > 0) body.system = system;
  const tools = toolConfig(request, turns);
  if (tools) body.toolConfig = tools;
  const fields = reasoningFields(request, call);
  if (fields) body.additionalModelRequestFields = fields;
  if (request.outputFormat?.type === 'json_schema')
    body.outputConfig = { textFormat: textFormat(request.outputFormat) };
  return body;
}

function refuseProviderTools({ providerTools }: ModelRequest): void {
  const [tool] = providerTools ?? [];
  if (!tool) return;
  const message = `this model has no tool ${tool.type} of its provider`;
  throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field: 'tools', message }] });
}

/** Limits the temperature to the maximum of the API. */
function inferenceConfig({ maxOutputTokens }: ModelCall, { temperature, topP, stop }: ModelRequest): JsonObject {
  const config: JsonObject = { maxTokens: maxOutputTokens };
  if (temperature !== undefined) config.temperature = Math.min(temperature, 1);
  if (topP !== undefined) config.topP = topP;
  if (stop.length > 0) config.stopSequences = stop.slice(0, STOPS_MAX);
  return config;
}

/** Declares the tools that the conversation calls, if the request has none any more: the vendor requires them. */
function toolConfig(request: ModelRequest, turns: readonly ConverseMessage[]): JsonObject | undefined {
  const called = listCalled(turns);
  const isOff = request.tools.length === 0 || request.toolChoice?.type === 'none';
  if (isOff && called.length === 0) return undefined;
  const undeclared = called.filter((name) => !request.tools.some((tool) => toolName(tool.name) === name));
  const specs = [
    ...request.tools.map(({ name, description, parameters }) => toolSpec(toolName(name), description, parameters)),
    ...undeclared.map((name) => toolSpec(name, undefined, undefined)),
  ];
  const choice = isOff ? undefined : toolChoice(request);
  return { tools: specs, ...(choice ? { toolChoice: choice } : {}) };
}

function toolSpec(name: string, description: string | undefined, parameters: JsonObject | undefined): JsonObject {
  const json = toArgumentsSchema(parameters) ?? { type: 'object', properties: {} };
  return { toolSpec: { name, ...(description ? { description } : {}), inputSchema: { json } } };
}

/** The API has no way to forbid calls: without a choice, the model decides. */
function toolChoice({ toolChoice: choice }: ModelRequest): JsonObject | undefined {
  if (!choice || choice.type === 'none') return undefined;
  if (choice.function !== undefined) return { tool: { name: toolName(choice.function) } };
  return choice.type === 'required' ? { any: {} } : { auto: {} };
}

/**
 * Returns the setting of reasoning, which each maker names in its own way; other models have none.
 *
 * Source: docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html and the parameters of OpenAI's models on Bedrock, by
 * `bedrock-chat-language-model` of `@ai-sdk/amazon-bedrock` 4.0, read 2026-11-30.
 */
function reasoningFields(
  { reasoningEffort: effort }: ModelRequest,
  { upstreamModel }: ModelCall,
): JsonObject | undefined {
  if (effort === undefined) return undefined;
  const model = toPlainModel(upstreamModel);
  if (model.startsWith('openai.gpt-oss')) return effort === 'none' ? undefined : { reasoning_effort: effort };
  if (model.startsWith('openai.')) return { reasoning: { effort } };
  if (!model.startsWith('amazon.nova-2')) return undefined;
  if (effort === 'none') return { reasoningConfig: { type: 'disabled' } };
  // The highest level does not accept an output bound, which the hold needs.
  return { reasoningConfig: { type: 'enabled', maxReasoningEffort: effort === 'high' ? 'medium' : effort } };
}

/**
 * Returns the format of JSON by a schema, which is sent as a text.
 *
 * Source: docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html, read 2026-11-30. Its part of JSON Schema is Anthropic's.
 */
function textFormat({ json_schema: asked }: NonNullable<ModelRequest['outputFormat']>): JsonObject {
  const { name, description, schema } = asked!;
  const closed = toSchemaDialect(closedSchema(schema), outputSchemaDialect);
  const jsonSchema = { schema: JSON.stringify(closed), name, ...(description ? { description } : {}) };
  return { type: 'json_schema', structure: { jsonSchema } };
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

interface ConverseMessage {
  role: 'user' | 'assistant';
  content: JsonObject[];
}

/** Formats of files by media type. Source: ImageFormat, DocumentFormat, VideoFormat of `@aws-sdk/client-bedrock-runtime` 3.1164. */
const images: Record<string, string> = {
  'image/gif': 'gif',
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
};
const documents: Record<string, string> = {
  'application/msword': 'doc',
  'application/pdf': 'pdf',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/plain': 'txt',
};
const videos: Record<string, string> = {
  'video/mp4': 'mp4',
  'video/mpeg': 'mpeg',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
};

/** Asks a model to continue its own message: few models of Bedrock continue the last message of a conversation. */
const CONTINUE = { text: 'Continue.' };
const ID = /^[a-zA-Z0-9_-]{1,64}$/;
const MISTRAL_ID_CHARS = 9;

/** Returns the system prompts, which are sent before the conversation. */
function systemBlocks(messages: readonly ModelMessage[]): JsonObject[] {
  const texts = messages.filter(({ role }) => role === 'system').map(messageText);
  return texts.filter((text) => text.trim() !== '').map((text) => ({ text }));
}

/** Returns the conversation in alternating turns that a user starts and ends. Tool results are merged into one user message. */
function toTurns(messages: readonly ModelMessage[], provider: ProviderId, upstreamModel: string): ConverseMessage[] {
  const turns: ConverseMessage[] = [];
  const converter = new MessageConverter(provider, upstreamModel);
  for (const message of orderMessages(messages)) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = converter.toContent(message);
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) turns.push({ role, content });
  }
  if (turns[0]?.role === 'assistant') turns.unshift({ role: 'user', content: [{ text: '.' }] });
  if (turns.at(-1)?.role === 'assistant') turns.push({ role: 'user', content: [CONTINUE] });
  return turns.map(withText);
}

/** Whether a conversation has calls or results of tools, which then must be declared. */
function listCalled(turns: readonly ConverseMessage[]): string[] {
  const calls = turns
    .flatMap(({ content }) => content)
    .flatMap(({ toolUse }) => (isJsonObject(toolUse) ? [toolUse] : []));
  return [...new Set(calls.map(({ name }) => String(name)))];
}

/** A message with a document needs a text. */
function withText(turn: ConverseMessage): ConverseMessage {
  const { content } = turn;
  const isLacking = content.some(({ document }) => document) && !content.some(({ text }) => text !== undefined);
  return isLacking ? { ...turn, content: [...content, { text: '.' }] } : turn;
}

class MessageConverter {
  readonly #provider: ProviderId;
  readonly #upstreamModel: string;
  readonly #isMistral: boolean;
  /** Documents have neutral names, which must differ: models read them, and files' names may be instructions. */
  #documents = 0;

  constructor(provider: ProviderId, upstreamModel: string) {
    this.#provider = provider;
    this.#upstreamModel = upstreamModel;
    this.#isMistral = toPlainModel(upstreamModel).startsWith('mistral.');
  }

  toContent(message: ModelMessage): JsonObject[] {
    const kept = findKeptBlocks(message, this.#provider, this.#upstreamModel);
    if (kept) return kept.map((block) => this.#withId(block));
    if (message.role === 'tool') return [this.#toolResult(message)];
    const calls = message.toolCalls.map((call) => this.#toolUse(call));
    return [...message.content.flatMap((part) => this.#block(part)), ...calls];
  }

  /** Leaves out texts of nothing but white space, which the vendor rejects. */
  #block(part: ModelPart): JsonObject[] {
    if (part.type === 'linked_image') {
      const message = 'this model takes images as data: URLs with base64 only';
      throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field: part.field, message }] });
    }
    if (part.type === 'file') return [this.#file(part.file)];
    return part.text.trim() === '' ? [] : [{ text: part.text }];
  }

  #file(file: FilePart['file']): JsonObject {
    const mime = toFileType(file);
    const source = { bytes: file.data_base64 };
    if (images[mime]) return { image: { format: images[mime], source } };
    if (videos[mime]) return { video: { format: videos[mime], source } };
    const format = documents[mime] ?? (isText(mime) ? 'txt' : undefined);
    if (format) return { document: { format, name: `document ${++this.#documents}`, source } };
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', `files of type ${mime} are not supported by this provider`);
  }

  /** A result needs content. */
  #toolResult(message: ModelMessage): JsonObject {
    const content = message.content.flatMap((part) => this.#block(part));
    return {
      toolResult: {
        toolUseId: this.#toId(message.toolCallId ?? ''),
        content: content.length > 0 ? content : [{ text: FILLER.type === 'text' ? FILLER.text : '.' }],
      },
    };
  }

  #toolUse(call: ToolCall): JsonObject {
    const name = toolName(call.function?.name ?? call.type);
    return { toolUse: { toolUseId: this.#toId(call.id), name, input: toolArguments(call) } };
  }

  #withId(block: JsonObject): JsonObject {
    const { toolUse } = block;
    if (!isJsonObject(toolUse)) return block;
    return { toolUse: { ...toolUse, toolUseId: this.#toId(String(toolUse.toolUseId)) } };
  }

  /**
   * Returns an id that the model accepts, alike in calls and results: a call may come from another provider. Mistral's models accept nine
   * letters and digits, though Bedrock itself gives them longer ones.
   *
   * Source: normalizeToolCallId of `@ai-sdk/amazon-bedrock` 4.0.
   */
  #toId(id: string): string {
    if (this.#isMistral) return createHash('sha256').update(id).digest('hex').slice(0, MISTRAL_ID_CHARS);
    return ID.test(id) ? id : `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
  }
}

function isText(mime: string): boolean {
  return mime.startsWith('text/') || mime === 'application/json';
}
