import type { AnswerPlan, AnswerRequest } from './answer-plan.js';
import { type CallIdentity, type Frame, sseData } from './frames.js';
import type { SampleSchema } from './sample-json.js';

interface Part {
  text?: string;
  inlineData?: object;
  functionCall?: { name: string; args?: unknown };
  functionResponse?: { name: string; response?: unknown };
}

interface GenerateRequestBody {
  systemInstruction?: { parts: Part[] };
  contents: { role?: string; parts: Part[] }[];
  generationConfig?: {
    maxOutputTokens?: number;
    stopSequences?: string[];
    responseMimeType?: string;
    responseJsonSchema?: SampleSchema;
    responseSchema?: object;
    responseModalities?: string[];
  };
  tools?: { functionDeclarations?: FunctionDeclaration[]; googleSearch?: object }[];
  toolConfig?: { functionCallingConfig?: { mode?: string; allowedFunctionNames?: string[] } };
}

interface FunctionDeclaration {
  name: string;
  parametersJsonSchema?: SampleSchema;
  parameters_json_schema?: SampleSchema;
  /** In the vendor's own form, with types in capitals. */
  parameters?: object;
}

/** Parses a path `/v1beta/models/MODEL:METHOD`. */
export interface GenerateTarget {
  model: string;
  isStream: boolean;
}

/** The target of an endpoint of Gemini's API; undefined for any other. */
export function generateTarget(endpoint: string): GenerateTarget | undefined {
  const match = /^POST \/v1beta\/models\/([^/:]+):(generateContent|streamGenerateContent)$/.exec(endpoint);
  if (!match) return undefined;
  return { model: decodeURIComponent(match[1]!), isStream: match[2] === 'streamGenerateContent' };
}

/** Reads a body of `generateContent`. @throws TypeError when it has no contents. */
export function readGenerateRequest(json: unknown, { model, isStream }: GenerateTarget): AnswerRequest {
  const body = json as GenerateRequestBody;
  const config = body.generationConfig ?? {};
  const calling = body.toolConfig?.functionCallingConfig;
  const system = body.systemInstruction;
  return {
    model,
    stream: isStream,
    messages: [
      ...(system ? [{ role: 'system', text: joinText(system.parts), files: 0 }] : []),
      ...body.contents.flatMap(plainMessages),
    ],
    tools: (body.tools ?? []).flatMap(({ functionDeclarations: declared }) =>
      (declared ?? []).map(({ name, parametersJsonSchema, parameters_json_schema, parameters }) => ({
        name,
        parameters: parametersJsonSchema ?? parameters_json_schema ?? toJsonSchema(parameters),
      })),
    ),
    toolChoice: calling?.mode === 'ANY' ? (calling.allowedFunctionNames?.[0] ?? 'required') : undefined,
    json:
      config.responseMimeType === 'application/json'
        ? { schema: config.responseJsonSchema ?? toJsonSchema(config.responseSchema) }
        : undefined,
    maxOutputTokens: config.maxOutputTokens,
    stop: config.stopSequences ?? [],
    includeUsage: true,
    canSearch: (body.tools ?? []).some(({ googleSearch }) => googleSearch !== undefined),
  };
}

/** Writes the types of a schema in lower case. */
function toJsonSchema(schema: object | undefined): SampleSchema | undefined {
  if (schema === undefined) return undefined;
  const lower = (name: string, value: unknown) =>
    name === 'type' && typeof value === 'string' ? value.toLowerCase() : value;
  return JSON.parse(JSON.stringify(schema, lower)) as SampleSchema;
}

/** The answer to a plain request. */
export function generateBody(plan: AnswerPlan, call: CallIdentity): object {
  return response(plan, call, toParts(plan), true);
}

/**
 * The answer to a streamed request: whole responses, one per token, without a final event. Calls are also sent whole.
 */
export function* generateFrames(plan: AnswerPlan, call: CallIdentity): Generator<Frame> {
  if (plan.toolCalls.length > 0) {
    for (const part of toParts(plan)) yield sseData(response(plan, call, [part], false));
  }
  for (const piece of plan.pieces) yield sseData(response(plan, call, [{ text: piece }], false), 1);
  yield sseData(response(plan, call, [{ text: '' }], true));
}

/** Error body in the vendor's form. */
export function generateErrorBody(status: number): object {
  const [name, message] = errorKinds[status] ?? ['INTERNAL', 'An internal error has occurred.'];
  return { error: { code: status, message, status: name } };
}

const errorKinds: Record<number, [status: string, message: string]> = {
  400: ['INVALID_ARGUMENT', 'Request contains an invalid argument.'],
  401: ['UNAUTHENTICATED', 'API key not valid. Please pass a valid API key.'],
  402: ['RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.'],
  404: ['NOT_FOUND', 'The model is not found.'],
  429: ['RESOURCE_EXHAUSTED', 'You exceeded your current quota.'],
  503: ['UNAVAILABLE', 'The model is overloaded. Please try again later.'],
};

function toParts(plan: AnswerPlan): object[] {
  if (plan.toolCalls.length === 0) return [{ text: plan.pieces.join('') }];
  return plan.toolCalls.map(({ id, name, pieces }, index) => ({
    functionCall: { id, name, args: JSON.parse(pieces.join('')) },
    ...(index === 0 ? { thoughtSignature: 'c2lnbmF0dXJl' } : {}),
  }));
}

function response(plan: AnswerPlan, call: CallIdentity, parts: object[], isLast: boolean): object {
  const finish = isLast ? { finishReason: plan.finish === 'length' ? 'MAX_TOKENS' : 'STOP' } : {};
  const grounding = isLast && plan.sources.length > 0 ? { groundingMetadata: toGrounding(plan) } : {};
  return {
    candidates: [{ content: { role: 'model', parts }, index: 0, ...finish, ...grounding }],
    ...(plan.usage ? { usageMetadata: toUsage(plan.usage) } : {}),
    modelVersion: call.model,
    responseId: `resp_fake_${call.number}`,
  };
}

function toGrounding({ sources }: AnswerPlan): object {
  return {
    groundingChunks: sources.map(({ url, title }) => ({ web: { uri: url, title } })),
    webSearchQueries: sources.map(({ title }) => title),
  };
}

function toUsage({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }): object {
  return {
    promptTokenCount: inputTokens,
    candidatesTokenCount: outputTokens,
    totalTokenCount: inputTokens + outputTokens,
  };
}

/** In all other formats, results of functions are separate messages. */
function plainMessages({ role, parts }: { role?: string; parts: Part[] }) {
  const results = parts.filter(({ functionResponse }) => functionResponse);
  const rest = parts.filter(({ functionResponse }) => !functionResponse);
  const messages = results.map((part) => ({ role: 'tool', text: joinText([part]), files: 0 }));
  const files = rest.filter(({ inlineData }) => inlineData).length;
  const named = role === 'model' ? 'assistant' : 'user';
  return rest.length > 0 ? [...messages, { role: named, text: joinText(rest), files }] : messages;
}

function joinText(parts: readonly Part[]): string {
  return parts
    .map(({ text, functionCall, functionResponse }) => {
      if (functionCall) return `${functionCall.name}${JSON.stringify(functionCall.args ?? {})}`;
      return functionResponse ? responseText(functionResponse.response) : (text ?? '');
    })
    .join('');
}

function responseText(response: unknown): string {
  const output = (response as { output?: unknown } | undefined)?.output;
  return typeof output === 'string' ? output : JSON.stringify(response ?? {});
}
