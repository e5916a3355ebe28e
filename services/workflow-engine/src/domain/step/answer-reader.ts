import type { ResponseResource, ResponseUsage } from '@tollgate/api';
import { AppError, codeForStatus, isErrorCode } from '@tollgate/errors';
import type { RunFailure } from '../failure.js';
import type { ModelNode } from '../plan/plan.js';
import type { Json } from '../values/json.js';

/** What one event of a native response stream means for a model step. */
export type StreamPiece =
  | { kind: 'text'; text: string }
  | { kind: 'end'; answer: ResponseResource }
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

/** Reads one event of the stream `responses-stream/v2`; the completion becomes what a plain call would have answered. */
export function readStreamEvent(json: string): StreamPiece {
  const event = JSON.parse(json) as StreamEvent;
  if (event.type === 'update' && typeof event.delta === 'string') return { kind: 'text', text: event.delta };
  if (event.type === 'completion') return { kind: 'end', answer: answerOf(event) };
  if (event.type === 'error') return { kind: 'error', error: errorOf(event) };
  return { kind: 'other' };
}

/** The answer of a plain call. */
export function readAnswer(json: string): ResponseResource {
  return JSON.parse(json) as ResponseResource;
}

/** What a node says that asked a model: the answer itself, or, of a switch, what the model said as JSON. */
export function outputOf(node: ModelNode, answer: ResponseResource): Json {
  if (node.type !== 'route.switch') return answer as unknown as Json;
  const text = textOf(answer).trim();
  try {
    return JSON.parse(text) as Json;
  } catch {
    return { route: text };
  }
}

/** The text of an answer's last message. */
export function textOf({ output }: Pick<ResponseResource, 'output'>): string {
  const parts = output.at(-1)?.content ?? [];
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

export function failureOfError(error: AppError): RunFailure {
  return { code: error.code, message: error.message };
}

function answerOf(event: StreamEvent): ResponseResource {
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

function errorOf({ code = '', message = 'the model call failed', status, retryable }: StreamEvent): AppError {
  const known = isErrorCode(code) ? code : codeForStatus(status);
  return new AppError(known, message, retryable === undefined ? {} : { retryable });
}
