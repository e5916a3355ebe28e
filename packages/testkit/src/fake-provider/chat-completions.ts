import type { AnswerPlan, AnswerRequest } from './answer-plan.js';
import { type CallIdentity, type Frame, sseData } from './frames.js';
import type { SampleSchema } from './sample-json.js';

interface ChatMessage {
  role: string;
  content?: string | { type: string; text?: string; refusal?: string }[] | null;
  tool_calls?: { function: { name: string; arguments: string } }[];
}

interface AllowedTools {
  mode: string;
  tools: { function: { name: string } }[];
}

interface ChatRequestBody {
  model: string;
  messages: ChatMessage[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  max_tokens?: number;
  max_completion_tokens?: number;
  stop?: string | string[] | null;
  tools?: { type: string; function: { name: string; parameters?: SampleSchema } }[];
  tool_choice?: string | { function?: { name: string }; allowed_tools?: AllowedTools };
  response_format?: { type: string; json_schema?: { schema?: SampleSchema } };
}

/** Reads a body of `POST /chat/completions`. @throws TypeError when it has no messages. */
export function readChatRequest(json: unknown): AnswerRequest {
  const body = json as ChatRequestBody;
  const { tool_choice: chosen } = body;
  const allowed = typeof chosen === 'object' ? chosen.allowed_tools : undefined;
  const choice = typeof chosen === 'object' ? (allowed?.mode ?? chosen.function?.name) : chosen;
  const names = allowed?.tools.map(({ function: tool }) => tool.name);
  return {
    model: body.model,
    stream: body.stream === true,
    messages: body.messages.map((message) => ({
      role: message.role,
      text: joinText(message),
      files: countFiles(message),
    })),
    tools: (body.tools ?? []).map(({ function: tool }) => tool).filter(({ name }) => names?.includes(name) ?? true),
    toolChoice: choice === 'auto' || choice === 'none' ? undefined : choice,
    json: jsonFormat(body.response_format),
    maxOutputTokens: body.max_completion_tokens ?? body.max_tokens,
    stop: typeof body.stop === 'string' ? [body.stop] : (body.stop ?? []),
    includeUsage: body.stream_options?.include_usage === true,
  };
}

/** The answer to a plain request. */
export function chatBody(plan: AnswerPlan, call: CallIdentity): object {
  const toolCalls = plan.toolCalls.map(({ id, name, pieces }) => ({
    id,
    type: 'function',
    function: { name, arguments: pieces.join('') },
  }));
  const message = {
    role: 'assistant',
    content: toolCalls.length > 0 ? null : plan.pieces.join(''),
    refusal: null,
    annotations: [],
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
  };
  return {
    ...envelope(call, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: plan.finish }],
    ...(plan.usage ? { usage: chatUsage(plan.usage) } : {}),
  };
}

/** The answer to a streamed request: one chunk per token, the usage in a last chunk without choices when asked for. */
export function* chatFrames(plan: AnswerPlan, request: AnswerRequest, call: CallIdentity): Generator<Frame> {
  const nullUsage = request.includeUsage ? { usage: null } : {};
  const chunk = (delta: object, finish: string | null, tokens: number) =>
    sseData(
      {
        ...envelope(call, 'chat.completion.chunk'),
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
        ...nullUsage,
      },
      tokens,
    );
  yield chunk({ role: 'assistant', content: plan.toolCalls.length > 0 ? null : '', refusal: null }, null, 0);
  for (const piece of plan.pieces) yield chunk({ content: piece }, null, 1);
  for (const [index, { id, name, pieces }] of plan.toolCalls.entries()) {
    yield chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }, null, 0);
    for (const piece of pieces) yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] }, null, 1);
  }
  yield chunk({}, plan.finish, 0);
  if (request.includeUsage && plan.usage) {
    yield sseData({ ...envelope(call, 'chat.completion.chunk'), choices: [], usage: chatUsage(plan.usage) });
  }
  yield { text: 'data: [DONE]\n\n', tokens: 0 };
}

function envelope(call: CallIdentity, object: string): object {
  return {
    id: `chatcmpl-fake-${call.number}`,
    object,
    created: call.createdAtSeconds,
    model: call.model,
    service_tier: 'default',
    system_fingerprint: 'fp_fake',
  };
}

function chatUsage({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }): object {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

function joinText({ content, tool_calls }: ChatMessage): string {
  const text = typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');
  return text + (tool_calls ?? []).map((call) => call.function.name + call.function.arguments).join('');
}

function countFiles({ content }: ChatMessage): number {
  return Array.isArray(content) ? content.filter((part) => part.type !== 'text' && part.type !== 'refusal').length : 0;
}

function jsonFormat(format: ChatRequestBody['response_format']): AnswerRequest['json'] {
  if (format?.type === 'json_schema') return { schema: format.json_schema?.schema };
  return format?.type === 'json_object' ? {} : undefined;
}
