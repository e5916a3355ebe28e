import type { ToolCall } from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import type { JsonObject } from '@tollgate/runtime';
import {
  type ModelMessage,
  type ModelPart,
  type ModelRequest,
  messageText,
  type ProviderTool,
} from '../../domain/model-request.js';
import type { ModelCall } from '../contract/provider.js';
import { parseObject } from '../convert/answer-reading.js';
import { toArgumentsSchema } from '../convert/arguments-schema.js';
import { ensureTurn, FILLER, orderMessages } from '../convert/conversation.js';
import { toFileType } from '../convert/file-type.js';
import { type SchemaDialect, toSchemaDialect } from '../convert/schema-dialect.js';
import { thinkingBudget } from '../convert/thinking-budget.js';
import { toolArguments, toolName } from '../convert/tool-names.js';

/** Most stop sequences that the vendor accepts. */
export const STOPS_MAX = 5;

/** Converts a request to the body of `models/…:generateContent`. Source: GenerateContentConfig of `@google/genai` 2.32. */
export function generateRequest(call: ModelCall): JsonObject {
  const request = call.request();
  const messages = ensureTurn(request.messages);
  const body: JsonObject = {
    contents: toContents(messages, call.upstreamModel),
    generationConfig: generationConfig(call, request),
  };
  const system = systemPrompt(messages);
  if (system !== '') body.systemInstruction = { parts: [{ text: system }] };
  const tools = [...functionTools(request), ...(request.providerTools ?? []).map(providerTool)];
  if (tools.length > 0) {
    body.tools = tools;
    const config = toolConfig(request);
    if (config) body.toolConfig = config;
  }
  return body;
}

function generationConfig(call: ModelCall, request: ModelRequest): JsonObject {
  const config: JsonObject = { maxOutputTokens: call.maxOutputTokens };
  if (request.temperature !== undefined) config.temperature = request.temperature;
  if (request.topP !== undefined) config.topP = request.topP;
  const { sampling } = request;
  if (sampling?.topK !== undefined) config.topK = sampling.topK;
  if (sampling?.seed !== undefined) config.seed = sampling.seed;
  if (sampling?.frequencyPenalty !== undefined) config.frequencyPenalty = sampling.frequencyPenalty;
  if (sampling?.presencePenalty !== undefined) config.presencePenalty = sampling.presencePenalty;
  if (request.stop.length > 0) config.stopSequences = request.stop.slice(0, STOPS_MAX);
  const { outputFormat, reasoningEffort } = request;
  if (outputFormat && outputFormat.type !== 'text') config.responseMimeType = 'application/json';
  if (outputFormat?.type === 'json_schema') {
    config.responseJsonSchema = toSchemaDialect(outputFormat.json_schema!.schema, schemaDialect);
  }
  if (reasoningEffort !== undefined) {
    config.thinkingConfig = thinkingConfig(call.upstreamModel, reasoningEffort, call.maxOutputTokens);
  }
  return config;
}

function functionTools({ tools }: ModelRequest): JsonObject[] {
  if (tools.length === 0) return [];
  const functionDeclarations = tools.map(({ name, description, parameters }) => ({
    name: toolName(name),
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined
      ? {}
      : { parametersJsonSchema: toSchemaDialect(toArgumentsSchema(parameters)!, schemaDialect) }),
  }));
  return [{ functionDeclarations }];
}

function providerTool({ type }: ProviderTool): JsonObject {
  return type === 'code_execution' ? { codeExecution: {} } : { googleSearch: {} };
}

function toolConfig({ toolChoice: choice, tools, providerTools }: ModelRequest): JsonObject | undefined {
  const config: JsonObject = {};
  if (choice && tools.length > 0) config.functionCallingConfig = callingConfig(choice);
  // Both kinds of tools in one request require that the vendor's own calls are reported.
  if (tools.length > 0 && providerTools && providerTools.length > 0) config.includeServerSideToolInvocations = true;
  return Object.keys(config).length > 0 ? config : undefined;
}

function callingConfig(choice: NonNullable<ModelRequest['toolChoice']>): JsonObject {
  if (choice.type === 'none') return { mode: 'NONE' };
  if (choice.function !== undefined) return { mode: 'ANY', allowedFunctionNames: [toolName(choice.function)] };
  return { mode: choice.type === 'required' ? 'ANY' : 'AUTO' };
}

interface Content {
  role: 'user' | 'model';
  parts: unknown[];
}

/**
 * Replaces the signature of a call that this model did not make in this conversation, or whose signature the client did not
 * keep; without one, the vendor rejects the request. Source: ai.google.dev/gemini-api/docs/thought-signatures (FAQ).
 */
const NO_SIGNATURE = 'skip_thought_signature_validator';

function systemPrompt(messages: readonly ModelMessage[]): string {
  return messages
    .filter(({ role }) => role === 'system')
    .map(messageText)
    .join('\n\n');
}

/** Returns the conversation in alternating turns. Tool results are merged into one user turn. */
function toContents(messages: readonly ModelMessage[], upstreamModel: string): Content[] {
  const names = namesOfCalls(messages);
  const turns: Content[] = [];
  for (const message of orderMessages(messages)) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'model' : 'user';
    const parts = toParts(message, names, upstreamModel);
    const last = turns.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else if (parts.length > 0) turns.push({ role, parts });
  }
  // A call follows a turn of the user.
  return turns[0]?.role === 'model' ? [{ role: 'user', parts: part(FILLER) }, ...turns] : turns;
}

function toParts(message: ModelMessage, names: ReadonlyMap<string, string>, upstreamModel: string): unknown[] {
  const { continuation } = message;
  if (continuation?.provider === 'google-ai-studio' && continuation.upstreamModel === upstreamModel) {
    return continuation.content as unknown[];
  }
  if (message.role === 'tool') return [functionResponse(message, names)];
  const needsSignature = !/^gemini-[12]\b/.test(upstreamModel);
  const calls = message.toolCalls.map((call, index) => functionCall(call, needsSignature && index === 0));
  return [...message.content.flatMap(part), ...calls];
}

/** @throws AppError for a link: the vendor reads only images that are sent */
function part(content: ModelPart): JsonObject[] {
  if (content.type === 'linked_image') {
    const message = 'this model takes images as data: URLs with base64 only';
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field: content.field, message }] });
  }
  if (content.type === 'file') {
    const { file } = content;
    return [{ inlineData: { mimeType: toFileType(file), data: file.data_base64 } }];
  }
  return content.text === '' ? [] : [{ text: content.text }];
}

/** Signs only the first of parallel calls, as the vendor does. */
function functionCall(call: ToolCall, isSigned: boolean): JsonObject {
  const name = toolName(call.function?.name ?? call.type);
  const args = toolArguments(call);
  return { functionCall: { id: call.id, name, args }, ...(isSigned ? { thoughtSignature: NO_SIGNATURE } : {}) };
}

/** Returns the result of a call, with the call's name, which the vendor requires. */
function functionResponse(message: ModelMessage, names: ReadonlyMap<string, string>): JsonObject {
  const id = message.toolCallId ?? '';
  const name = names.get(id);
  if (name === undefined) {
    const text = `tool_call_id ${id} answers no tool call of the conversation`;
    throw new AppError('VALIDATION_ERROR', text, { fields: [{ field: 'input', message: text }] });
  }
  const text = messageText(message);
  return { functionResponse: { id, name, response: parseObject(text) ?? { output: text } } };
}

function namesOfCalls(messages: readonly ModelMessage[]): Map<string, string> {
  const calls = messages.flatMap(({ toolCalls }) => toolCalls);
  return new Map(calls.map((call) => [call.id, toolName(call.function?.name ?? call.type)]));
}

/**
 * The part of JSON Schema that `responseJsonSchema` and `parametersJsonSchema` support.
 *
 * Source: ai.google.dev/gemini-api/docs/structured-output (JSON Schema support) and the notes on `responseJsonSchema` in
 * `@google/genai` 2.32.
 */
const schemaDialect: SchemaDialect = {
  keywords: new Set([
    '$defs',
    '$ref',
    'additionalProperties',
    'anyOf',
    'description',
    'enum',
    'format',
    'items',
    'maxItems',
    'maximum',
    'minItems',
    'minimum',
    'prefixItems',
    'properties',
    'propertyOrdering',
    'required',
    'title',
    'type',
  ]),
  /** Literals must be strings or numbers. */
  takes(keyword, value) {
    return keyword !== 'enum' || (Array.isArray(value) && value.every(isTextOrNumber));
  },
};

function isTextOrNumber(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

type Effort = NonNullable<ModelRequest['reasoningEffort']>;

/** As in the vendor's own OpenAI-compatible endpoint. */
const budgets: Record<Effort, number> = { none: 0, low: 1_024, medium: 8_192, high: 24_576 };
/** The Pro models of that generation always reason. */
const PRO_BUDGET_MIN = 128;

/**
 * Returns the reasoning setting of a Gemini model: a level since Gemini 3, a token budget before.
 *
 * Source: ai.google.dev/gemini-api/docs/thinking and /docs/openai (table of reasoning_effort).
 */
function thinkingConfig(upstreamModel: string, effort: Effort, outputBound: number): JsonObject {
  if (/^gemini-[12]\b/.test(upstreamModel)) {
    const least = upstreamModel.includes('-pro') ? PRO_BUDGET_MIN : 0;
    return { thinkingBudget: Math.max(thinkingBudget(budgets[effort], outputBound), least) };
  }
  if (effort !== 'none') return { thinkingLevel: effort.toUpperCase() };
  return { thinkingLevel: upstreamModel.includes('-pro') ? 'LOW' : 'MINIMAL' };
}
