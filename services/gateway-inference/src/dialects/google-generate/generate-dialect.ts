import {
  functionResponseText,
  type GoogleContent,
  type GoogleFunctionResponse,
  type GoogleGenerateBody,
  type GooglePart,
  googleSystemText,
  inputOfGoogle,
  listGoogleFunctions,
  vendorKind,
} from '@tollgate/api/compatible';
import type { ContentPart, ToolCall } from '@tollgate/api/model-requests';
import { isAppError } from '@tollgate/errors';
import { writeExactJson } from '@tollgate/runtime';
import { closeSchema } from '../../domain/closed-schema.js';
import type { FunctionTool, ModelMessage, ModelPart, ModelRequest, ProviderTool } from '../../domain/model-request.js';
import {
  isNotZero,
  isSet,
  listCommon,
  listServiceTier,
  type OptionalParameter,
  type RequestedParameter,
  toSampling,
} from '../../domain/optional-parameters.js';
import { joinTexts, textParts } from '../content-parts.js';
import type { Capability, Dialect } from '../dialect.js';
import { fileCapability } from '../native/native-dialect.js';
import { budgetEffort, toReasoningEffort } from '../reasoning-effort.js';
import { refused, vendorOnly } from '../refused.js';
import { GenerateStreamWriter, generateAnswer, withUsage } from './generate-answer.js';
import { toJsonSchema } from './google-schema.js';

/** `POST /v1beta/models/…:generateContent` and `:streamGenerateContent`. The model is named by the path. */
export const generateDialect: Dialect<GoogleGenerateBody> = {
  forwardable: 'google-generate',
  capabilities: findCapabilities,
  toModelRequest,
  parameters: findParameters,
  countStops: ({ generationConfig }) => generationConfig?.stopSequences?.length ?? 0,
  input: inputOfGoogle,
  modelName: (_body, modelId) => modelId,
  writeAnswer: generateAnswer,
  withUsage,
  openStream: (info) => new GenerateStreamWriter(info),
};

const JSON_TYPE = 'application/json';

/** Returns the capabilities that the body needs of its model. */
function findCapabilities({ contents, tools, generationConfig: config }: GoogleGenerateBody): Capability[] {
  const needed = new Set<Capability>();
  for (const { parts } of contents) {
    for (const { inlineData, functionResponse } of parts ?? []) {
      for (const blob of [inlineData, ...(functionResponse?.parts ?? []).map((part) => part.inlineData)]) {
        if (blob) needed.add(fileCapability(blob.mimeType));
      }
    }
  }
  if (listGoogleFunctions(tools).length > 0 || tools?.some(({ computerUse }) => computerUse)) needed.add('tool_use');
  if (tools?.some(({ googleSearch }) => googleSearch)) needed.add('web_search');
  if (tools?.some(({ codeExecution }) => codeExecution)) needed.add('code_execution');
  if (config?.responseSchema || config?.responseJsonSchema || config?.responseMimeType === JSON_TYPE) {
    needed.add('structured_output');
  }
  return [...needed];
}

type Config = NonNullable<GoogleGenerateBody['generationConfig']>;

/** The vendor's default for its own models, which gemini-cli sends to every model. */
const DEFAULT_TOP_K = 64;
/** The model decides how much it thinks. */
const DYNAMIC_BUDGET = -1;

/** Optional parameters of this dialect, with the values that request something. */
const optional: Record<string, [OptionalParameter, (value: unknown) => boolean]> = {
  frequencyPenalty: ['frequency_penalty', isNotZero],
  logprobs: ['top_logprobs', isNotZero],
  presencePenalty: ['presence_penalty', isNotZero],
  responseLogprobs: ['logprobs', (value) => value === true],
  seed: ['seed', isSet],
  topK: ['top_k', (value) => isSet(value) && value !== DEFAULT_TOP_K],
};

/** Returns the optional parameters that the body sets. */
function findParameters({ generationConfig: config, serviceTier }: GoogleGenerateBody): RequestedParameter[] {
  const found = listServiceTier('serviceTier', serviceTier);
  if (!config) return found;
  for (const [member, [parameter, asksForIt]] of Object.entries(optional)) {
    const value = config[member];
    if (asksForIt(value)) found.push({ parameter, field: `generationConfig.${member}`, value });
  }
  const { temperature, topP } = config;
  const fields = { temperature: 'generationConfig.temperature', top_p: 'generationConfig.topP' };
  const { responseMimeType: type, responseSchema, responseJsonSchema } = config;
  const isOpenJson = type === 'application/json' && !responseSchema && !responseJsonSchema;
  const jsonField = isOpenJson ? 'generationConfig.responseMimeType' : undefined;
  return [...found, ...listCommon({ temperature, topP, fields, jsonField })];
}

/** Converts a body of `:generateContent`. @throws AppError for parts that cannot be converted */
function toModelRequest(body: GoogleGenerateBody): ModelRequest {
  const config = body.generationConfig ?? {};
  refuseVendorOnly(config);
  const searches = providerTools(body);
  return {
    messages: toModelMessages(body),
    tools: offeredTools(body),
    toolChoice: toToolChoice(body),
    outputFormat: toOutputFormat(config),
    temperature: config.temperature ?? undefined,
    topP: config.topP ?? undefined,
    stop: config.stopSequences ?? [],
    reasoningEffort: toEffort(config.thinkingConfig),
    ...(searches.length > 0 ? { providerTools: searches } : {}),
    ...toSampling(findParameters(body)),
  };
}

function refuseVendorOnly({ mediaResolution }: Config): void {
  if (!isSet(mediaResolution) || mediaResolution === 'MEDIA_RESOLUTION_UNSPECIFIED') return;
  throw vendorOnly('generationConfig.mediaResolution', 'mediaResolution is not supported by this model');
}

/** Returns the functions that the model may call. */
function offeredTools({ tools, toolConfig }: GoogleGenerateBody): FunctionTool[] {
  if (tools?.some(({ computerUse }) => computerUse)) {
    throw vendorOnly('tools', 'this model does not support tools of type computerUse');
  }
  const allowed = toolConfig?.functionCallingConfig?.allowedFunctionNames ?? [];
  return listGoogleFunctions(tools)
    .filter(({ name }) => allowed.length === 0 || allowed.includes(name))
    .map((declaration) => {
      const { name, description, parameters } = declaration;
      const schema = declaration.parametersJsonSchema ?? declaration.parameters_json_schema;
      if (name.includes(':')) throw vendorOnly('tools', `this model does not support colons in names: ${name}`);
      return {
        name,
        description: description ?? undefined,
        parameters: schema ?? (parameters ? toJsonSchema(parameters) : undefined),
      };
    });
}

/** Tools that run at the provider. */
function providerTools({ tools }: GoogleGenerateBody): ProviderTool[] {
  const used: ProviderTool[] = [];
  if (tools?.some(({ googleSearch }) => googleSearch)) used.push({ type: 'web', options: {} });
  if (tools?.some(({ codeExecution }) => codeExecution)) used.push({ type: 'code_execution', options: {} });
  return used;
}

function toToolChoice({ toolConfig }: GoogleGenerateBody): ModelRequest['toolChoice'] {
  const { mode, allowedFunctionNames: allowed } = toolConfig?.functionCallingConfig ?? {};
  if (mode === 'NONE') return { type: 'none' };
  if (mode !== 'ANY') return mode === 'AUTO' || mode === 'VALIDATED' ? { type: 'auto' } : undefined;
  return allowed?.length === 1 ? { type: 'required', function: allowed[0]! } : { type: 'required' };
}

function toOutputFormat(config: Config): ModelRequest['outputFormat'] {
  const { responseMimeType: type, responseSchema, responseJsonSchema } = config;
  if (type && type !== 'text/plain' && type !== 'application/json') {
    throw vendorOnly('generationConfig.responseMimeType', `this model does not support answers of type ${type}`);
  }
  const schema = responseJsonSchema ?? (responseSchema ? toJsonSchema(responseSchema) : undefined);
  if (schema) return { type: 'json_schema', json_schema: { name: 'output', ...strictSchema(schema) } };
  return type === 'application/json' ? { type: 'json_object' } : undefined;
}

/** Schemas with free-form maps cannot be enforced strictly: they are passed on where a provider takes them. */
function strictSchema(schema: Record<string, unknown>): { schema: Record<string, unknown>; strict: boolean } {
  try {
    return { schema: closeSchema(schema, 'generationConfig.responseSchema'), strict: true };
  } catch (error) {
    if (isAppError(error)) return { schema, strict: false };
    throw error;
  }
}

/** Returns the named level, or else the thinking budget as one of our three steps. */
function toEffort(thinking: Config['thinkingConfig']): ModelRequest['reasoningEffort'] {
  const { thinkingLevel: level, thinkingBudget: budget } = thinking ?? {};
  if (level && level !== 'THINKING_LEVEL_UNSPECIFIED') {
    return toReasoningEffort(level.toLowerCase(), 'generationConfig.thinkingConfig.thinkingLevel');
  }
  return budget === undefined || budget === null || budget === DYNAMIC_BUDGET ? undefined : budgetEffort(budget);
}

/** Parts that the vendor's own tools left in the conversation: another provider cannot use them. */
const vendorToolParts = new Set(['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse']);

/** Converts the conversation. @throws AppError for parts that only the vendor supports */
function toModelMessages({ contents, systemInstruction }: GoogleGenerateBody): ModelMessage[] {
  const system = googleSystemText(systemInstruction);
  const calls = new OpenCalls();
  return [
    ...(system === '' ? [] : [message('system', textParts(system))]),
    ...contents.flatMap((content) =>
      content.role === 'model' ? [modelMessage(content, calls)] : userMessages(content, calls),
    ),
  ];
}

/** Leaves out thoughts and their signatures: another provider cannot use them. */
function modelMessage({ parts }: GoogleContent, calls: OpenCalls): ModelMessage {
  const content: ContentPart[] = [];
  const toolCalls: ToolCall[] = [];
  for (const part of parts ?? []) {
    if (part.functionCall) toolCalls.push(calls.open(part.functionCall));
    else if (part.thought !== true) content.push(...toParts(part));
  }
  return { ...message('assistant', joinTexts(content)), toolCalls };
}

/** Puts results first, each in its own message, then everything else, with the results' files: not every provider accepts files as tool output. */
function userMessages({ parts }: GoogleContent, calls: OpenCalls): ModelMessage[] {
  const results: ModelMessage[] = [];
  const rest: ContentPart[] = [];
  let hasRest = false;
  for (const part of parts ?? []) {
    const { functionResponse: response } = part;
    if (response) {
      const result = message('tool', textParts(functionResponseText(response, writeExactJson)));
      results.push({ ...result, toolCallId: calls.answer(response) });
      const files = (response.parts ?? []).flatMap(({ inlineData }) => toFile(inlineData));
      rest.push(...files);
      hasRest ||= files.length > 0;
    } else {
      if (part.thought !== true) rest.push(...toParts(part));
      hasRest = true;
    }
  }
  return hasRest ? [...results, message('user', joinTexts(rest))] : results;
}

function toParts(part: GooglePart): ContentPart[] {
  if (part.functionCall) throw refused('contents', 'a functionCall belongs to the role model');
  if (part.functionResponse) throw refused('contents', 'a functionResponse belongs to the role user');
  const kind = vendorKind(part);
  if (kind !== undefined && !vendorToolParts.has(kind)) {
    throw vendorOnly('contents', `this model does not support parts of type ${kind}`);
  }
  return [...textParts(part.text ?? ''), ...toFile(part.inlineData)];
}

function toFile(blob: GooglePart['inlineData']): ContentPart[] {
  return blob ? [{ type: 'file', file: { data_base64: blob.data, mime_type: blob.mimeType.toLowerCase() } }] : [];
}

function message(role: ModelMessage['role'], content: readonly ModelPart[]): ModelMessage {
  return { role, content, toolCalls: [], toolCallId: undefined };
}

/** Calls without a result. This vendor matches calls and results without an id by name and order; others need the id. */
class OpenCalls {
  readonly #open: { id: string; name: string; hasId: boolean }[] = [];
  #count = 0;

  open({ id, name, args }: NonNullable<GooglePart['functionCall']>): ToolCall {
    const callId = id || `call_${++this.#count}`;
    this.#open.push({ id: callId, name, hasId: Boolean(id) });
    return { id: callId, type: 'function', function: { name, arguments: writeExactJson(args ?? {}) } };
  }

  /** Returns the id of the call that the result answers. @throws AppError if there is none */
  answer({ id, name }: GoogleFunctionResponse): string {
    const byId = this.#open.findIndex((call) => call.id === id && call.hasId);
    // A client may make up the id of a result whose call has none.
    const at = byId === -1 ? this.#open.findIndex((call) => call.name === name && !(id && call.hasId)) : byId;
    const [call] = at === -1 ? [] : this.#open.splice(at, 1);
    if (call) return call.id;
    throw refused('contents', `functionResponse ${id || name} answers no functionCall of the conversation`);
  }
}
