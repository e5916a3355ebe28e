import type { ResponseResource, ResponseUsage } from '@tollgate/api/model-requests';
import { AppError, codeForStatus, isErrorCode } from '@tollgate/errors';
import type { RunFailure } from '../failure.js';
import type { ModelNode } from '../plan/plan.js';
import { type Json, parseJson, writeJson } from '../values/json.js';

/** A model's answer with its stored JSON, so that it is encoded only once. */
export interface ReceivedAnswer {
  answer: ResponseResource;
  json: string;
}

/** The meaning of one event of a native response stream for a model step. */
export type StreamPiece =
  | { kind: 'text'; text: string }
  | { kind: 'end'; received: ReceivedAnswer }
  | { kind: 'error'; error: AppError }
  | { kind: 'other' };

interface StreamEvent {
  type?: string;
  delta?: string;
  code?: string;
  message?: string;
  status?: number;
  retryable?: boolean;
  response_id?: string;
  request_id?: string;
  content?: string;
  payload?: unknown;
  tool_calls?: ResponseResource['output'][number]['tool_calls'];
  citations?: ResponseResource['citations'];
  model?: string;
  provider?: string;
  stop_reason?: string;
  usage?: ResponseUsage;
}

/** Reads one event of the stream `responses-stream/v2`. Converts the completion event to the answer of a plain call. */
export function readStreamEvent(json: string): StreamPiece {
  const event = JSON.parse(json) as StreamEvent;
  if (event.type === 'update' && typeof event.delta === 'string') return { kind: 'text', text: event.delta };
  if (event.type === 'completion') {
    const answer = toAnswer(event);
    return { kind: 'end', received: { answer, json: JSON.stringify(answer) } };
  }
  if (event.type === 'error') return { kind: 'error', error: toError(event) };
  return { kind: 'other' };
}

/** Reads the answer of a plain call. */
export function readAnswer(json: string): ResponseResource {
  return JSON.parse(json) as ResponseResource;
}

/**
 * Returns the output of a node that asked a model: the answer itself or, for a switch, the JSON in the model's text.
 */
export function nodeOutput(node: ModelNode, { answer, json }: ReceivedAnswer): { value: Json; json: string } {
  // The answer was parsed from JSON; the compiler rejects it because its type has members of type `unknown`.
  if (node.type !== 'route.switch') return { value: answer as unknown as Json, json };
  const value = readRoute(readAnswerText(answer).trim());
  return { value, json: writeJson(value) };
}

function readRoute(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return { route: text };
  }
}

/** Returns the text of an answer's last message. */
export function readAnswerText({ output }: Pick<ResponseResource, 'output'>): string {
  const parts = output.at(-1)?.content ?? [];
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

export function toFailure(error: AppError): RunFailure {
  return { code: error.code, message: error.message };
}

function toAnswer(event: StreamEvent): ResponseResource {
  const text = event.content ?? (event.payload === undefined ? '' : JSON.stringify(event.payload));
  const message: ResponseResource['output'][number] = {
    type: 'message',
    role: 'assistant',
    content: text === '' ? [] : [{ type: 'text', text }],
  };
  if (event.tool_calls && event.tool_calls.length > 0) message.tool_calls = event.tool_calls;
  return {
    id: event.response_id ?? event.request_id ?? '',
    output: [message],
    model: event.model ?? '',
    provider: event.provider ?? '',
    stop_reason: event.stop_reason ?? '',
    usage: event.usage ?? { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
    ...(event.citations && { citations: event.citations }),
  };
}

function toError({ code = '', message = 'the model call failed', status, retryable }: StreamEvent): AppError {
  const known = isErrorCode(code) ? code : codeForStatus(status);
  return new AppError(known, message, retryable === undefined ? {} : { retryable });
}
