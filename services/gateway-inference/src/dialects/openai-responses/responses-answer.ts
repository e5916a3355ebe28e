import { type CompatibleResponsesBody, toResponseHead } from '@tollgate/api/compatible';
import type { JsonObject } from '@tollgate/runtime';
import {
  type AnswerToolCall,
  isErrorReason,
  type ModelAnswer,
  type StopReason,
  type TokenUsage,
} from '../../domain/model-answer.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import { estimatedMark } from '../../domain/usage.js';
import { REFUSAL_TEXT } from '../openai-chat/chat-answer.js';
import { callForms, type DeclaredTool } from './declared-tools.js';

/** How an answer ended, in this dialect. */
interface ResponseOutcome {
  status: 'completed' | 'incomplete';
  incomplete_details: { reason: 'max_output_tokens' | 'content_filter' } | null;
}

/** Returns the whole answer of a plain call as JSON. */
export function responseAnswer(
  info: TurnInfo,
  answer: ModelAnswer,
  usage: TokenUsage,
  body: CompatibleResponsesBody,
): string {
  const outcome = toResponseOutcome(answer.stopReason);
  const output: JsonObject[] = [];
  if (answer.text !== '' || answer.toolCalls.length === 0) {
    const isRefusal = answer.stopReason === 'refusal';
    const part = isRefusal ? refusalPart(answer.text || REFUSAL_TEXT) : textPart(answer.text);
    output.push(messageItem(messageId(info, 0), [part], outcome.status));
  }
  const formOf = callForms(body);
  for (const call of answer.toolCalls) {
    output.push(callItem(callItemId(info, output.length), call, formOf(call.name), outcome.status));
  }
  return JSON.stringify({ ...responseHead(info, body), ...outcome, output, usage: responseUsage(usage) });
}

/** Returns the members of a response that are known from its start. */
export function responseHead(info: TurnInfo, body: CompatibleResponsesBody): JsonObject {
  const { requestId, model, startedAt, isStored = false, isInConversation = false } = info;
  return toResponseHead({ id: `resp_${requestId}`, model, startedAt, isStored, isInConversation }, body);
}

export function toResponseOutcome(reason: StopReason): ResponseOutcome {
  if (reason === 'max_tokens') return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
  if (reason === 'content_filter' || isErrorReason(reason)) {
    return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
  }
  return { status: 'completed', incomplete_details: null };
}

export function responseUsage(usage: TokenUsage): JsonObject {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: {
      cached_tokens: usage.cacheReadInputTokens,
      cache_write_tokens: usage.cacheWriteInputTokens,
    },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.inputTokens + usage.outputTokens,
    ...estimatedMark(usage),
  };
}

/** Replaces the usage of a response, or of a stream's last event, which has the whole response. */
export function withUsage(json: string, usage: TokenUsage, isEvent: boolean): string {
  const body = JSON.parse(json) as JsonObject;
  const usageOfResponse = responseUsage(usage);
  if (!isEvent) return JSON.stringify({ ...body, usage: usageOfResponse });
  return JSON.stringify({ ...body, response: { ...(body.response as JsonObject), usage: usageOfResponse } });
}

export function messageId(info: TurnInfo, index: number): string {
  return `msg_${info.requestId}_${index}`;
}

export function callItemId(info: TurnInfo, index: number): string {
  return `fc_${info.requestId}_${index}`;
}

export function messageItem(id: string, content: readonly JsonObject[], status: string): JsonObject {
  return { id, type: 'message', status, role: 'assistant', content };
}

export function refusalPart(refusal: string): JsonObject {
  return { type: 'refusal', refusal };
}

export function textPart(text: string): JsonObject {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

type Form = Omit<DeclaredTool, 'offered'>;

/** Writes a call of a client's tool as an item of this dialect. `call.name` is the name that the provider used. */
export function callItem(id: string, call: AnswerToolCall, form: Form, status: string): JsonObject {
  const { id: callId } = call;
  const { name, namespace } = form;
  const place = namespace === undefined ? {} : { namespace };
  switch (form.form) {
    case 'custom':
      return { id, type: 'custom_tool_call', status, call_id: callId, name, ...place, input: customInput(call) };
    case 'local_shell':
      return { id, type: 'local_shell_call', status, call_id: callId, action: shellAction(call) };
    case 'tool_search': {
      const execution = 'client';
      return {
        id,
        type: 'tool_search_call',
        status,
        call_id: callId,
        execution,
        arguments: parse(call.arguments) ?? {},
      };
    }
    case 'function':
      return { id, type: 'function_call', status, call_id: callId, name, ...place, arguments: call.arguments };
  }
}

/** Returns the input of a custom tool: the argument of the function that stood for it, or else all that the model wrote. */
export function customInput({ arguments: text }: AnswerToolCall): string {
  const input = parse(text)?.input;
  return typeof input === 'string' ? input : text;
}

function shellAction({ arguments: text }: AnswerToolCall): JsonObject {
  const { command, timeout_ms: timeout, working_directory: directory } = parse(text) ?? {};
  return {
    type: 'exec',
    command: Array.isArray(command) ? command.map(String) : [],
    env: {},
    ...(typeof timeout === 'number' ? { timeout_ms: timeout } : {}),
    ...(typeof directory === 'string' ? { working_directory: directory } : {}),
  };
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** Tracks the items of a forwarded response, as far as they have arrived. */
export class ForwardedItems {
  readonly #done: JsonObject[] = [];
  #open: JsonObject | undefined;
  #text = '';

  /** Tracks a forwarded event; `text` is the output that it adds. */
  note(event: string | undefined, data: string, text: string): void {
    if (event === 'response.output_item.added') {
      this.#open = readItem(data);
      this.#text = '';
    } else if (event === 'response.output_item.done') {
      this.#done.push(readItem(data));
      this.#open = undefined;
    } else {
      this.#text += text;
    }
  }

  /** Returns the complete items, and the open one as it was cut. Leaves out cut reasoning, which cannot be sent back. */
  items(): JsonObject[] {
    const status = 'incomplete';
    switch (this.#open?.type) {
      case 'message':
        return [...this.#done, { ...this.#open, status, content: [textPart(this.#text)] }];
      case 'function_call':
        return [...this.#done, { ...this.#open, status, arguments: this.#text }];
      case 'custom_tool_call':
        return [...this.#done, { ...this.#open, status, input: this.#text }];
      default:
        return this.#done;
    }
  }
}

function readItem(data: string): JsonObject {
  return (JSON.parse(data) as { item: JsonObject }).item;
}
