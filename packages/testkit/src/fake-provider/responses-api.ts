import type { AnswerPlan, AnswerRequest, PlannedToolCall } from './answer-plan.js';
import { type CallIdentity, type Frame, sseEvent } from './frames.js';
import type { SampleSchema } from './sample-json.js';

interface InputItem {
  type?: string;
  role?: string;
  content?: string | { type: string; text?: string }[];
  name?: string;
  arguments?: string;
  output?: string | { type: string; text?: string }[];
}

interface ResponsesRequestBody {
  model: string;
  input: string | InputItem[];
  instructions?: string | null;
  stream?: boolean;
  max_output_tokens?: number | null;
  tools?: { type: string; name: string; parameters?: SampleSchema }[];
  tool_choice?: string | { type: string; name?: string };
  reasoning?: { effort?: string | null } | null;
  text?: { format?: { type: string; schema?: SampleSchema } };
}

/** Reads a body of `POST /responses`. @throws TypeError when it has no input. */
export function readResponsesRequest(json: unknown): AnswerRequest {
  const body = json as ResponsesRequestBody;
  const items: InputItem[] = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : body.input;
  const choice = typeof body.tool_choice === 'object' ? body.tool_choice.name : body.tool_choice;
  return {
    model: body.model,
    stream: body.stream === true,
    messages: [
      ...(body.instructions ? [{ role: 'system', text: body.instructions, files: 0 }] : []),
      ...items.map((item) => ({ role: readRole(item), text: joinText(item), files: countFiles(item) })),
    ],
    tools: (body.tools ?? []).filter((tool) => tool.type === 'function'),
    toolChoice: choice === 'auto' || choice === 'none' ? undefined : choice,
    json: jsonFormat(body.text?.format),
    maxOutputTokens: body.max_output_tokens ?? undefined,
    stop: [],
    includeUsage: true,
    canSearch: (body.tools ?? []).some(({ type }) => type === 'web_search' || type === 'x_search'),
    canThink: (body.reasoning?.effort ?? 'none') !== 'none',
    canCache: true,
  };
}

/** The answer to a plain request, and the `response` of a stream's last event. */
export function responsesBody(plan: AnswerPlan, call: CallIdentity): object {
  const isCut = plan.finish === 'length';
  return {
    ...envelope(call),
    status: isCut ? 'incomplete' : 'completed',
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    output: [
      ...thoughts(plan),
      ...(plan.toolCalls.length > 0 ? plan.toolCalls.map(functionCall) : [...searches(plan), finalMessage(plan, call)]),
    ],
    usage: plan.usage ? toUsage(plan.usage, plan) : null,
  };
}

/** The answer to a streamed request: named events with consecutive sequence numbers. */
export function* responsesFrames(plan: AnswerPlan, call: CallIdentity): Generator<Frame> {
  let sequence = 0;
  const event = (type: string, fields: object, tokens = 0) =>
    sseEvent(type, { type, sequence_number: sequence++, ...fields }, tokens);
  const started = { ...envelope(call), status: 'in_progress', incomplete_details: null, output: [], usage: null };
  yield event('response.created', { response: started });
  yield event('response.in_progress', { response: started });
  for (const item of thoughts(plan)) yield* thoughtFrames(plan, item, event);
  if (plan.toolCalls.length > 0) yield* functionCallFrames(plan, event);
  else yield* messageFrames(plan, call, event);
  const type = plan.finish === 'length' ? 'response.incomplete' : 'response.completed';
  yield event(type, { response: responsesBody(plan, call) });
}

type MakeEvent = (type: string, fields: object, tokens?: number) => Frame;

function* thoughtFrames({ thinking }: AnswerPlan, item: Thought, event: MakeEvent): Generator<Frame> {
  yield event('response.output_item.added', { output_index: 0, item: { ...item, summary: [] } });
  const place = { item_id: item.id, output_index: 0, summary_index: 0 };
  for (const delta of thinking) yield event('response.reasoning_summary_text.delta', { ...place, delta }, 1);
  yield event('response.output_item.done', { output_index: 0, item });
}

function* messageFrames(plan: AnswerPlan, call: CallIdentity, event: MakeEvent): Generator<Frame> {
  const outputIndex = thoughts(plan).length;
  const place = { item_id: `msg_fake_${call.number}`, output_index: outputIndex, content_index: 0 };
  const text = plan.pieces.join('');
  for (const item of searches(plan)) yield event('response.output_item.done', { output_index: 0, item });
  yield event('response.output_item.added', {
    output_index: outputIndex,
    item: { ...message(call, ''), status: 'in_progress', content: [] },
  });
  yield event('response.content_part.added', { ...place, part: textPart('') });
  for (const piece of plan.pieces)
    yield event('response.output_text.delta', { ...place, delta: piece, logprobs: [] }, 1);
  yield event('response.output_text.done', { ...place, text, logprobs: [] });
  yield event('response.content_part.done', { ...place, part: textPart(text) });
  yield event('response.output_item.done', { output_index: outputIndex, item: finalMessage(plan, call) });
}

function* functionCallFrames(plan: AnswerPlan, event: MakeEvent): Generator<Frame> {
  for (const [position, toolCall] of plan.toolCalls.entries()) {
    const index = thoughts(plan).length + position;
    const item = functionCall(toolCall);
    const place = { item_id: item.id, output_index: index };
    yield event('response.output_item.added', {
      output_index: index,
      item: { ...item, arguments: '', status: 'in_progress' },
    });
    for (const piece of toolCall.pieces)
      yield event('response.function_call_arguments.delta', { ...place, delta: piece }, 1);
    yield event('response.function_call_arguments.done', { ...place, name: item.name, arguments: item.arguments });
    yield event('response.output_item.done', { output_index: index, item });
  }
}

function envelope(call: CallIdentity): object {
  return {
    id: `resp_fake_${call.number}`,
    object: 'response',
    created_at: call.createdAtSeconds,
    error: null,
    instructions: null,
    metadata: {},
    model: call.model,
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
  };
}

function message(call: CallIdentity, text: string) {
  return {
    id: `msg_fake_${call.number}`,
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [textPart(text)],
  };
}

interface Thought {
  id: string;
  type: 'reasoning';
  summary: { type: 'summary_text'; text: string }[];
  encrypted_content: string;
}

/** Encrypted reasoning, so that tests can check that it is returned unchanged. */
function thoughts({ thinking }: AnswerPlan): Thought[] {
  if (thinking.length === 0) return [];
  const text = thinking.join('');
  const sealed = Buffer.from(`sealed: ${text}`).toString('base64');
  return [{ id: 'rs_fake_1', type: 'reasoning', summary: [{ type: 'summary_text', text }], encrypted_content: sealed }];
}

function searches({ sources }: AnswerPlan): object[] {
  return sources.map(({ title }, i) => ({
    id: `ws_fake_${i + 1}`,
    type: 'web_search_call',
    status: 'completed',
    action: { type: 'search', query: title },
  }));
}

/** The whole message, with its sources. */
function finalMessage(plan: AnswerPlan, call: CallIdentity) {
  const part = textPart(plan.pieces.join(''));
  const annotations = plan.sources.map((source) => ({ type: 'url_citation', start_index: 0, end_index: 0, ...source }));
  return { ...message(call, ''), content: [{ ...part, annotations }] };
}

function textPart(text: string) {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function functionCall({ id, name, pieces }: PlannedToolCall) {
  return { id: `fc_${id}`, type: 'function_call', status: 'completed', call_id: id, name, arguments: pieces.join('') };
}

function toUsage(
  { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
  { cached, thinking }: AnswerPlan,
): object {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cached.read, cache_write_tokens: cached.written },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: thinking.length },
    total_tokens: inputTokens + outputTokens,
  };
}

function readRole(item: InputItem): string {
  if (item.type === 'function_call_output') return 'tool';
  return item.type === 'function_call' || item.type === 'reasoning' ? 'assistant' : (item.role ?? 'user');
}

function joinText(item: InputItem): string {
  if (item.type === 'function_call') return `${item.name ?? ''}${item.arguments ?? ''}`;
  const content = item.type === 'function_call_output' ? item.output : item.content;
  return typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');
}

function countFiles(item: InputItem): number {
  return Array.isArray(item.content) ? item.content.filter((part) => !part.type.endsWith('_text')).length : 0;
}

function jsonFormat(format: { type: string; schema?: SampleSchema } | undefined): AnswerRequest['json'] {
  if (format?.type === 'json_schema') return { schema: format.schema };
  return format?.type === 'json_object' ? {} : undefined;
}
