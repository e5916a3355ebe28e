import { type GoogleGenerateBody, listGoogleFunctions } from '@tollgate/api/compatible';
import { isAppError } from '@tollgate/errors';
import { closeSchema } from '../../domain/closed-schema.js';
import type { FunctionTool, ModelRequest, ProviderTool } from '../../domain/model-request.js';
import {
  isNotZero,
  isSet,
  listCommon,
  listServiceTier,
  type OptionalParameter,
  type RequestedParameter,
  toSampling,
} from '../../domain/optional-parameters.js';
import { budgetEffort, toReasoningEffort } from '../reasoning-effort.js';
import { vendorOnly } from '../refused.js';
import { toModelMessages } from './contents-to-messages.js';
import { toJsonSchema } from './google-schema.js';

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
export function findParameters({ generationConfig: config, serviceTier }: GoogleGenerateBody): RequestedParameter[] {
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
export function toModelRequest(body: GoogleGenerateBody): ModelRequest {
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
