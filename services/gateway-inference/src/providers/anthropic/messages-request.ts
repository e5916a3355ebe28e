import { AppError } from '@tollgate/errors';
import { closeSchema } from '../../domain/closed-schema.js';
import type { ModelRequest, ProviderTool } from '../../domain/model-request.js';
import type { ModelCall } from '../contract/provider.js';
import type { Json } from '../convert/answer-reading.js';
import { ensureTurn } from '../convert/conversation.js';
import { toSchemaDialect } from '../convert/schema-dialect.js';
import { thinkingBudget } from '../convert/thinking-budget.js';
import { toolName } from '../convert/tool-names.js';
import { findContainer } from './message-continuation.js';
import { findTraits, type ModelTraits } from './model-traits.js';
import { outputSchemaDialect } from './output-schema.js';
import { systemPrompt, toMessages } from './to-messages.js';

/** Most searches of one answer; the hold covers as many. */
const SEARCHES_MAX = 5;
/** Smallest budget that the vendor accepts. */
const THINKING_TOKENS_MIN = 1_024;
const budgets = { low: 1_024, medium: 8_192, high: 24_576 } as const;

/** Converts a request to the body of `POST /v1/messages`. Source: MessageCreateParams of `@anthropic-ai/sdk` 1.11. */
export function messagesRequest(call: ModelCall): Json {
  const request = call.request();
  const traits = findTraits(call.upstreamModel);
  const messages = ensureTurn(request.messages);
  const body: Json = {
    model: call.upstreamModel,
    max_tokens: call.maxOutputTokens,
    messages: toMessages(messages, call.upstreamModel),
  };
  const system = systemPrompt(messages);
  if (system !== '') body.system = system;
  const container = findContainer(request.messages, call.upstreamModel);
  if (container !== undefined) body.container = container;
  if (call.isStream) body.stream = true;
  if (request.stop.length > 0) body.stop_sequences = request.stop;
  addReasoning(body, request, traits, call.maxOutputTokens);
  addSampling(body, request, traits);
  addTools(body, request, traits, call.upstreamModel);
  addFormat(body, request);
  return body;
}

function addReasoning(body: Json, request: ModelRequest, traits: ModelTraits, bound: number): void {
  const { reasoningEffort: effort } = request;
  if (effort === undefined) return;
  if (effort === 'none' && traits.thinkingOff) {
    body.thinking = traits.thinkingOff;
  } else if (traits.reasoning === 'effort') {
    body.output_config = { effort: effort === 'none' ? 'low' : effort };
  } else if (traits.reasoning === 'budget' && effort !== 'none') {
    const budget = thinkingBudget(budgets[effort], bound);
    // The vendor rejects a budget together with a forced tool choice.
    const isTaken = budget >= THINKING_TOKENS_MIN && !isToolForced(request);
    if (isTaken) body.thinking = { type: 'enabled', budget_tokens: budget };
  }
}

/** Limits the temperature to the vendor's maximum of 1, and omits it with a thinking budget, which does not allow it. */
function addSampling(body: Json, { temperature, topP, sampling }: ModelRequest, { hasSampling }: ModelTraits): void {
  if (!hasSampling || (body.thinking as Json | undefined)?.type === 'enabled') return;
  if (temperature !== undefined) body.temperature = Math.min(temperature, 1);
  else if (topP !== undefined) body.top_p = topP;
  if (sampling?.topK !== undefined) body.top_k = sampling.topK;
}

function addTools(body: Json, request: ModelRequest, traits: ModelTraits, model: string): void {
  const own = request.tools.map((tool) => ({
    name: toolName(tool.name),
    ...(tool.description === undefined ? {} : { description: tool.description }),
    input_schema: { type: 'object', ...tool.parameters },
  }));
  const tools = [...own, ...(request.providerTools ?? []).map(providerTool)];
  if (tools.length === 0) return;
  body.tools = tools;
  const choice = toolChoice(request, traits, model);
  if (choice) body.tool_choice = choice;
}

function providerTool({ type, options }: ProviderTool): Json {
  if (type === 'code_execution') return { type: 'code_execution_20250825', name: 'code_execution' };
  const tool: Json = { type: 'web_search_20250305', name: 'web_search', max_uses: SEARCHES_MAX };
  for (const option of ['allowed_domains', 'blocked_domains', 'user_location']) {
    if (options[option] !== undefined) tool[option] = options[option];
  }
  return tool;
}

function toolChoice(request: ModelRequest, traits: ModelTraits, model: string): Json | undefined {
  const { toolChoice: choice, parallelToolCalls } = request;
  const oneAtATime = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  if (choice?.type === 'none') return { type: 'none' };
  if (!choice || !isToolForced(request))
    return parallelToolCalls === false ? { type: 'auto', ...oneAtATime } : undefined;
  if (!traits.canForceTools) {
    const message = `model ${model} cannot be forced to call a tool: tool_choice must be auto or none`;
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field: 'tool_choice', message }] });
  }
  if (choice.function === undefined) return { type: 'any', ...oneAtATime };
  return { type: 'tool', name: toolName(choice.function), ...oneAtATime };
}

function isToolForced({ tools, toolChoice: choice }: ModelRequest): boolean {
  if (tools.length === 0 || choice?.type === 'none') return false;
  return choice?.type === 'required' || choice?.function !== undefined;
}

function addFormat(body: Json, { outputFormat }: ModelRequest): void {
  if (outputFormat?.type === 'json_object') {
    const message = 'the provider produces JSON only from a schema: use json_schema';
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field: 'output_format.type', message }] });
  }
  if (outputFormat?.type !== 'json_schema') return;
  const schema = toSchemaDialect(closedSchema(outputFormat.json_schema!.schema), outputSchemaDialect);
  body.output_config = { ...(body.output_config as Json | undefined), format: { type: 'json_schema', schema } };
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
