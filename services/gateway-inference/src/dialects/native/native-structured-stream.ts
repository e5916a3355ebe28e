import { JSONParser } from '@streamparser/json';
import { AppError } from '@tollgate/errors';
import type { ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import { nativeUsage } from '../../domain/usage.js';
import type { StreamEvent, StreamWriter } from '../dialect.js';
import { nativeErrorEvent, nativeToolCall } from './native-answer.js';

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

interface Field {
  name: string;
  value: unknown;
}

/**
 * Parses a JSON document while it is written, and returns each field of its top-level object once its value is complete.
 * Returns none for a document that is not an object, or not JSON.
 */
class TopLevelFields {
  readonly #parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  #found: Field[] = [];
  #isObject: boolean | undefined;
  #isBroken = false;
  /** First half of a surrogate pair that the next piece completes. */
  #half = '';

  constructor() {
    keepByteOrderMarks(this.#parser);
    this.#parser.onValue = ({ key, value }) => {
      if (this.#isObject) this.#found.push({ name: String(key), value });
    };
    this.#parser.onError = () => {
      this.#isBroken = true;
    };
    this.#parser.onEnd = () => {
      this.#isBroken = true; // ignore everything after the document
    };
  }

  /** Returns the fields that this piece completes, in their order. */
  write(piece: string): Field[] {
    const text = this.#whole(piece);
    this.#isObject ??= /^\s*$/.test(text) ? undefined : /^\s*\{/.test(text);
    if (text !== '' && !this.#isBroken && this.#isObject !== false) this.#parser.write(text);
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** Withholds half a surrogate pair: the parser reads UTF-8, which cannot encode it. */
  #whole(piece: string): string {
    const text = this.#half + piece;
    const isCut = /[\uD800-\uDBFF]$/.test(text);
    this.#half = isCut ? text.slice(-1) : '';
    return isCut ? text.slice(0, -1) : text;
  }
}

/**
 * The parser drops a byte order mark at the start of a string, where it is a character like any other. It has no option for its
 * decoder, so the decoder is replaced.
 */
function keepByteOrderMarks(parser: JSONParser): void {
  const text: object = Reflect.get(Reflect.get(parser, 'tokenizer'), 'bufferedString');
  Reflect.set(text, 'decoder', new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }));
}
