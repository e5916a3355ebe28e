import { type CompatibleResponsesBody, toConversationId } from './compatible-responses.js';

// Ids and states of responses that are made in the background. Sources: Response, ResponseStatus and ResponseError of the official
// `openai` client library 6.49.

type Json = Record<string, unknown>;

const PREFIX = 'resp_bg_';
const HEX = /^[0-9a-f]{32}$/;

/** Returns the id of the background response whose first hold has this UUID. No provider's id has this form. */
export function toBackgroundResponseId(uuid: string): string {
  return PREFIX + uuid.replaceAll('-', '');
}

/** Returns the UUID of a background response's id; undefined for other ids. */
export function fromBackgroundResponseId(id: string): string | undefined {
  const hex = id.slice(PREFIX.length);
  if (!id.startsWith(PREFIX) || !HEX.test(hex)) return undefined;
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The facts that a response states about itself from its start. */
export interface ResponseInfo {
  id: string;
  /** The name under which the client knows the model. */
  model: string;
  /** Epoch milliseconds. */
  startedAt: number;
  /** Whether clients can read and continue it later. */
  isStored: boolean;
  /** Whether it is added to the conversation that its request names. */
  isInConversation: boolean;
}

/** Returns the members of a response that are known from its start. */
export function toResponseHead(info: ResponseInfo, body: CompatibleResponsesBody): Json {
  return {
    id: info.id,
    object: 'response',
    created_at: Math.floor(info.startedAt / 1000),
    background: body.background ?? false,
    ...(info.isInConversation && { conversation: { id: toConversationId(body) } }),
    error: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: body.metadata ?? {},
    model: info.model,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    reasoning: { effort: body.reasoning?.effort ?? null, summary: null },
    service_tier: 'default',
    store: info.isStored,
    temperature: body.temperature ?? 1,
    text: { format: body.text?.format ?? { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: (body.tools ?? []).map((tool) => {
      return tool.type === 'function' ? { parameters: null, strict: null, ...tool } : tool;
    }),
    top_p: body.top_p ?? 1,
    truncation: 'disabled',
  };
}

/** Why a background response failed. */
export interface ResponseFailure {
  code: 'server_error' | 'rate_limit_exceeded' | 'invalid_prompt';
  message: string;
}

/** Returns a response without an answer, which waits or runs, or has ended without it. */
export function toResponseWithoutAnswer(
  head: Json,
  status: 'queued' | 'in_progress' | 'failed' | 'cancelled',
  error: ResponseFailure | null,
): Json {
  return { ...head, status, error, incomplete_details: null, output: [], usage: null };
}
