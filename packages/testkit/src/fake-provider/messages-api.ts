import type { AnswerPlan, AnswerRequest } from './answer-plan.js';
import { type CallIdentity, type Frame, sseEvent } from './frames.js';
import type { SampleSchema } from './sample-json.js';

interface Block {
  type: string;
  text?: string;
  name?: string;
  input?: unknown;
  content?: string | Block[];
}

interface MessagesRequestBody {
  model: string;
  max_tokens: number;
  system?: string | Block[];
  messages: { role: string; content: string | Block[] }[];
  stream?: boolean;
  stop_sequences?: string[];
  tools?: { name: string; type?: string; input_schema?: SampleSchema }[];
  tool_choice?: { type: string; name?: string };
  thinking?: { type: string };
  output_config?: { format?: { schema?: SampleSchema } };
}

/** Reads a body of `POST /messages` (Anthropic). @throws TypeError when it has no messages. */
export function readMessagesRequest(json: unknown): AnswerRequest {
  const body = json as MessagesRequestBody;
  const own = (body.tools ?? []).filter(({ input_schema: schema }) => schema !== undefined);
  const choice = body.tool_choice?.type === 'any' ? 'required' : body.tool_choice?.name;
  return {
    model: body.model,
    stream: body.stream === true,
    messages: [...(body.system ? [systemMessage(body.system)] : []), ...body.messages.flatMap(plainMessages)],
    tools: own.map(({ name, input_schema: parameters }) => ({ name, parameters })),
    toolChoice: choice,
    json: body.output_config?.format && { schema: body.output_config.format.schema },
    maxOutputTokens: body.max_tokens,
    stop: body.stop_sequences ?? [],
    includeUsage: true,
    canSearch: (body.tools ?? []).some(({ type }) => type?.startsWith('web_search')),
    canThink: body.thinking?.type === 'enabled' || body.thinking?.type === 'adaptive',
    canCache: JSON.stringify(body).includes('"cache_control":{'),
  };
}

/** The answer to a plain request. */
export function messagesBody(plan: AnswerPlan, call: CallIdentity): object {
  return {
    ...envelope(call),
    content: toContent(plan),
    stop_reason: stopReason(plan),
    stop_sequence: null,
    usage: { ...startUsage(plan), ...endUsage(plan) },
  };
}

/** The answer to a streamed request, its events in the vendor's strict order. */
export function* messagesFrames(plan: AnswerPlan, call: CallIdentity): Generator<Frame> {
  const message = { ...envelope(call), content: [], stop_reason: null, stop_sequence: null };
  yield sseEvent('message_start', { type: 'message_start', message: { ...message, usage: startUsage(plan) } });
  yield sseEvent('ping', { type: 'ping' });
  if (plan.thinking.length > 0) yield* thinkingFrames(plan);
  if (plan.toolCalls.length > 0) yield* toolFrames(plan);
  else yield* textFrames(plan);
  const delta = { stop_reason: stopReason(plan), stop_sequence: null };
  yield sseEvent('message_delta', { type: 'message_delta', delta, usage: endUsage(plan) });
  yield sseEvent('message_stop', { type: 'message_stop' });
}

/** Error body in the vendor's form. */
export function messagesErrorBody(status: number): object {
  const [type, message] = errorKinds[status] ?? ['api_error', 'Internal server error'];
  return { type: 'error', error: { type, message }, request_id: 'req_fake' };
}

const errorKinds: Record<number, [type: string, message: string]> = {
  400: ['invalid_request_error', 'messages: at least one message is required'],
  401: ['authentication_error', 'invalid x-api-key'],
  402: ['billing_error', 'Your credit balance is too low to access the Anthropic API.'],
  404: ['not_found_error', 'model: not found'],
  429: ['rate_limit_error', 'This request would exceed your rate limit.'],
  529: ['overloaded_error', 'Overloaded'],
};

function* thinkingFrames({ thinking }: AnswerPlan): Generator<Frame> {
  yield blockStart(0, { type: 'thinking', thinking: '', signature: '' });
  for (const piece of thinking) yield blockDelta(0, { type: 'thinking_delta', thinking: piece }, 1);
  yield blockDelta(0, { type: 'signature_delta', signature: toSignature(thinking) });
  yield blockStop(0);
}

function* textFrames(plan: AnswerPlan): Generator<Frame> {
  const at = firstBlock(plan);
  yield blockStart(at, { type: 'text', text: '' });
  for (const citation of toCitations(plan)) yield blockDelta(at, { type: 'citations_delta', citation });
  for (const piece of plan.pieces) yield blockDelta(at, { type: 'text_delta', text: piece }, 1);
  yield blockStop(at);
}

/** Index of the first block after the thinking. */
function firstBlock({ thinking }: AnswerPlan): number {
  return thinking.length > 0 ? 1 : 0;
}

/** Derived from the thinking, so that a test can check that it is returned unchanged. */
function toSignature(thinking: readonly string[]): string {
  return Buffer.from(`signed: ${thinking.join('')}`).toString('base64');
}

function* toolFrames(plan: AnswerPlan): Generator<Frame> {
  for (const [place, { id, name, pieces }] of plan.toolCalls.entries()) {
    const index = firstBlock(plan) + place;
    yield blockStart(index, { type: 'tool_use', id, name, input: {} });
    yield blockDelta(index, { type: 'input_json_delta', partial_json: '' });
    for (const piece of pieces) yield blockDelta(index, { type: 'input_json_delta', partial_json: piece }, 1);
    yield blockStop(index);
  }
}

function blockStart(index: number, block: object): Frame {
  return sseEvent('content_block_start', { type: 'content_block_start', index, content_block: block });
}

function blockDelta(index: number, delta: object, tokens = 0): Frame {
  return sseEvent('content_block_delta', { type: 'content_block_delta', index, delta }, tokens);
}

function blockStop(index: number): Frame {
  return sseEvent('content_block_stop', { type: 'content_block_stop', index });
}

function toContent(plan: AnswerPlan): object[] {
  const { thinking, toolCalls } = plan;
  const thought =
    thinking.length > 0 ? [{ type: 'thinking', thinking: thinking.join(''), signature: toSignature(thinking) }] : [];
  if (toolCalls.length === 0) {
    return [...thought, { type: 'text', text: plan.pieces.join(''), citations: toCitations(plan) }];
  }
  const calls = toolCalls.map(({ id, name, pieces }) => {
    return { type: 'tool_use', id, name, input: JSON.parse(pieces.join('')) };
  });
  return [...thought, ...calls];
}

function toCitations({ sources }: AnswerPlan): object[] {
  return sources.map(({ url, title }) => ({
    type: 'web_search_result_location',
    url,
    title,
    encrypted_index: 'Eo8B',
    cited_text: title,
  }));
}

function stopReason({ finish }: AnswerPlan): string {
  return { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' }[finish];
}

/** The vendor always reports usage, and counts cache tokens separately. */
function startUsage(plan: AnswerPlan): object {
  return { ...inputUsage(plan), output_tokens: 1, service_tier: 'standard' };
}

function inputUsage({ inputTokens, cached }: AnswerPlan): object {
  return {
    input_tokens: inputTokens - cached.read - cached.written,
    cache_creation_input_tokens: cached.written,
    cache_read_input_tokens: cached.read,
  };
}

/** Cumulative, as all counts of the vendor's last event. */
function endUsage(plan: AnswerPlan): object {
  const { outputTokens, sources, thinking } = plan;
  const searches = sources.length > 0 ? { web_search_requests: sources.length, web_fetch_requests: 0 } : null;
  const details = thinking.length > 0 ? { output_tokens_details: { thinking_tokens: thinking.length } } : {};
  return { ...inputUsage(plan), output_tokens: outputTokens, ...details, server_tool_use: searches };
}

function envelope(call: CallIdentity): object {
  return { id: `msg_fake_${call.number}`, type: 'message', role: 'assistant', model: call.model };
}

function systemMessage(system: string | Block[]) {
  return { role: 'system', text: joinText(system), files: 0 };
}

/** In all other formats, results of tools are separate messages. */
function plainMessages({ role, content }: { role: string; content: string | Block[] }) {
  if (typeof content === 'string') return [{ role, text: content, files: 0 }];
  const results = content.filter(({ type }) => type === 'tool_result');
  const rest = content.filter(({ type }) => type !== 'tool_result');
  const files = rest.filter(({ type }) => type === 'image' || type === 'document').length;
  const messages = results.map((block) => ({ role: 'tool', text: joinText(block.content ?? ''), files: 0 }));
  return rest.length > 0 ? [...messages, { role, text: joinText(rest), files }] : messages;
}

function joinText(content: string | Block[]): string {
  if (typeof content === 'string') return content;
  return content
    .map(({ type, text, name, input }) => (type === 'tool_use' ? `${name}${JSON.stringify(input)}` : (text ?? '')))
    .join('');
}
