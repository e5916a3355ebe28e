import type { ProviderId } from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import { closeSchema } from '../../domain/closed-schema.js';
import type { ModelRequest } from '../../domain/model-request.js';
import { outputSchemaDialect } from '../anthropic/output-schema.js';
import type { ModelCall } from '../contract/provider.js';
import type { Json } from '../convert/answer-reading.js';
import { toArgumentsSchema } from '../convert/arguments-schema.js';
import { ensureTurn, withoutBlankTexts } from '../convert/conversation.js';
import { toSchemaDialect } from '../convert/schema-dialect.js';
import { toolName } from '../convert/tool-names.js';
import { JSON_INSTRUCTION } from '../listen/check-json.js';
import { toPlainModel } from './bedrock-models.js';
import { type ConverseMessage, listCalled, systemBlocks, toTurns } from './converse-messages.js';

/** Most stop sequences that all models accept; the service watches for others. Source: Amazon Nova's and Mistral's parameters. */
export const STOPS_MAX = 4;

/**
 * Converts a request to the body of `POST /model/{id}/converse` and `/converse-stream`.
 *
 * Source: ConverseRequest of `@aws-sdk/client-bedrock-runtime` 3.1164 and
 * docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html, read 2026-11-30.
 */
export function converseRequest(call: ModelCall, provider: ProviderId): Json {
  const request = call.request();
  refuseProviderTools(request);
  const messages = ensureTurn(withoutBlankTexts(request.messages));
  const turns = toTurns(messages, provider, call.upstreamModel);
  const body: Json = { messages: turns, inferenceConfig: inferenceConfig(call, request) };
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
function inferenceConfig({ maxOutputTokens }: ModelCall, { temperature, topP, stop }: ModelRequest): Json {
  const config: Json = { maxTokens: maxOutputTokens };
  if (temperature !== undefined) config.temperature = Math.min(temperature, 1);
  if (topP !== undefined) config.topP = topP;
  if (stop.length > 0) config.stopSequences = stop.slice(0, STOPS_MAX);
  return config;
}

/** Declares the tools that the conversation calls, if the request has none any more: the vendor requires them. */
function toolConfig(request: ModelRequest, turns: readonly ConverseMessage[]): Json | undefined {
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

function toolSpec(name: string, description: string | undefined, parameters: Json | undefined): Json {
  const json = toArgumentsSchema(parameters) ?? { type: 'object', properties: {} };
  return { toolSpec: { name, ...(description ? { description } : {}), inputSchema: { json } } };
}

/** The API has no way to forbid calls: without a choice, the model decides. */
function toolChoice({ toolChoice: choice }: ModelRequest): Json | undefined {
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
function reasoningFields({ reasoningEffort: effort }: ModelRequest, { upstreamModel }: ModelCall): Json | undefined {
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
function textFormat({ json_schema: asked }: NonNullable<ModelRequest['outputFormat']>): Json {
  const { name, description, schema } = asked!;
  const closed = toSchemaDialect(closedSchema(schema), outputSchemaDialect);
  const jsonSchema = { schema: JSON.stringify(closed), name, ...(description ? { description } : {}) };
  return { type: 'json_schema', structure: { jsonSchema } };
}

/** Rejects open schemas, which the vendor does not accept. */
function closedSchema(schema: Json): Json {
  try {
    return closeSchema(schema, 'schema');
  } catch (error) {
    const { message, fields } = error as AppError;
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields });
  }
}
