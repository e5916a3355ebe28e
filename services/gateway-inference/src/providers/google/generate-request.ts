import type { ModelRequest, ProviderTool } from '../../domain/model-request.js';
import type { ModelCall } from '../contract/provider.js';
import type { Json } from '../convert/answer-reading.js';
import { toArgumentsSchema } from '../convert/arguments-schema.js';
import { ensureTurn } from '../convert/conversation.js';
import { toSchemaDialect } from '../convert/schema-dialect.js';
import { toolName } from '../convert/tool-names.js';
import { systemPrompt, toContents } from './contents.js';
import { schemaDialect } from './json-schema.js';
import { thinkingConfig } from './thinking.js';

/** Most stop sequences that the vendor accepts. */
export const STOPS_MAX = 5;

/** Converts a request to the body of `models/…:generateContent`. Source: GenerateContentConfig of `@google/genai` 2.32. */
export function generateRequest(call: ModelCall): Json {
  const request = call.request();
  const messages = ensureTurn(request.messages);
  const body: Json = {
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

function generationConfig(call: ModelCall, request: ModelRequest): Json {
  const config: Json = { maxOutputTokens: call.maxOutputTokens };
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

function functionTools({ tools }: ModelRequest): Json[] {
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

function providerTool({ type }: ProviderTool): Json {
  return type === 'code_execution' ? { codeExecution: {} } : { googleSearch: {} };
}

function toolConfig({ toolChoice: choice, tools, providerTools }: ModelRequest): Json | undefined {
  const config: Json = {};
  if (choice && tools.length > 0) config.functionCallingConfig = callingConfig(choice);
  // Both kinds of tools in one request require that the vendor's own calls are reported.
  if (tools.length > 0 && providerTools && providerTools.length > 0) config.includeServerSideToolInvocations = true;
  return Object.keys(config).length > 0 ? config : undefined;
}

function callingConfig(choice: NonNullable<ModelRequest['toolChoice']>): Json {
  if (choice.type === 'none') return { mode: 'NONE' };
  if (choice.function !== undefined) return { mode: 'ANY', allowedFunctionNames: [toolName(choice.function)] };
  return { mode: choice.type === 'required' ? 'ANY' : 'AUTO' };
}
