import { AppError } from '@tollgate/errors';
import type { ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import { nativeUsage } from '../../domain/usage.js';
import type { StreamEvent, StreamWriter } from '../dialect.js';
import { nativeToolCall } from './native-answer.js';
import { nativeErrorEvent } from './native-stream.js';
import { TopLevelFields } from './top-level-fields.js';

interface PatchOperation {
  op: 'add' | 'replace';
  path: string;
  value: unknown;
}

/**
 * Writes stream events `responses-stream/v2`, mode `structured-patch`: RFC 6902 patches that build the document from an empty
 * object, one operation for each top-level field as soon as its value is complete. Tool calls are not reported.
 */
export class NativeStructuredStream implements StreamWriter {
  readonly #info: TurnInfo;
  #fields = new TopLevelFields();
  #completed = new Set<string>();
  #text = '';
  /** Operations to send before the next ones. */
  #due: PatchOperation[] = [];

  constructor(info: TurnInfo) {
    this.#info = info;
  }

  start(): StreamEvent {
    const { requestId, provider, model } = this.#info;
    const mode = { stream_mode: 'structured-patch', stream_version: 'v2' };
    return event({ type: 'start', ...mode, request_id: requestId, provider, model });
  }

  text(delta: string): StreamEvent | undefined {
    this.#text += delta;
    const found = this.#fields.write(delta);
    if (found.length === 0) return undefined;
    for (const { name } of found) this.#completed.add(name);
    return this.#update(found.map(({ name, value }) => ({ op: 'add', path: pointerTo(name), value })));
  }

  toolCall(): undefined {
    return undefined;
  }

  toolArguments(): undefined {
    return undefined;
  }

  /** The model restarts its document. */
  nextCall(): void {
    if (this.#completed.size > 0) this.#due = [{ op: 'replace', path: '', value: {} }];
    this.#fields = new TopLevelFields();
    this.#completed = new Set();
    this.#text = '';
  }

  fault(answer: ModelAnswer): AppError | undefined {
    if (answer.toolCalls.length > 0 || this.#payload() !== undefined) return undefined;
    const why = answer.stopReason === 'max_tokens' ? ', cut at max_output_tokens' : '';
    return new AppError('INVALID_OUTPUT', `the stream ended without a complete JSON value${why}`);
  }

  end(answer: ModelAnswer, usage: TokenUsage): StreamEvent[] {
    const { requestId, provider, model } = this.#info;
    const payload = this.#payload();
    const isPatched = payload === undefined || this.#completed.size > 0 || isEmptyObject(payload);
    const completion = event({
      type: 'completion',
      request_id: requestId,
      response_id: answer.responseId || `resp_${requestId}`,
      provider,
      model,
      ...(payload === undefined ? {} : { payload, content: this.#text }),
      complete_fields: [...this.#completed],
      ...(answer.toolCalls.length > 0 ? { tool_calls: answer.toolCalls.map(nativeToolCall) } : {}),
      stop_reason: answer.stopReason,
      usage: nativeUsage(usage),
      ...(answer.citations && answer.citations.length > 0 ? { citations: answer.citations } : {}),
    });
    const operations: PatchOperation[] = isPatched ? [] : [{ op: 'replace', path: '', value: payload }];
    // If the document was restarted, send the pending reset even when the new one is empty.
    const isUpToDate = operations.length === 0 && this.#due.length === 0;
    return isUpToDate ? [completion] : [this.#update(operations), completion];
  }

  error(error: AppError): StreamEvent {
    return nativeErrorEvent(error, this.#info.requestId);
  }

  #update(operations: PatchOperation[]): StreamEvent {
    const patch = [...this.#due, ...operations];
    this.#due = [];
    return event({ type: 'update', patch, complete_fields: [...this.#completed] });
  }

  /** Undefined if the text is not a JSON document; null is one. */
  #payload(): unknown {
    try {
      return JSON.parse(this.#text);
    } catch {
      return undefined;
    }
  }
}

function pointerTo(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

function event(body: Record<string, unknown>): StreamEvent {
  return { data: JSON.stringify(body) };
}
