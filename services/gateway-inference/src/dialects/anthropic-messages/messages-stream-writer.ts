import { type AppError, toAnthropicError } from '@tollgate/errors';
import type { JsonObject } from '@tollgate/runtime';
import type { ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import { NOTHING_SERVED } from '../../domain/usage.js';
import type { StreamEvent, StreamWriter } from '../dialect.js';
import { messageHead, messageUsage, textBlock, toMessageOutcome, toolUseBlock, wholeUsage } from './messages-answer.js';

/**
 * Writes named events in this dialect's strict order: message_start, then one block after the other (start, deltas, stop),
 * then message_delta with the usage, and message_stop.
 */
export class MessagesStreamWriter implements StreamWriter {
  readonly #info: TurnInfo;
  readonly #countInput: () => number;
  readonly #blocks = new MessageBlocks();

  /** `countInput`: our own count, sent before the provider's is known. The usage of `message_delta` is final. */
  constructor(info: TurnInfo, countInput: () => number) {
    this.#info = info;
    this.#countInput = countInput;
  }

  start(): StreamEvent {
    const message = {
      ...messageHead(this.#info),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      usage: wholeUsage({ ...NOTHING_SERVED, inputTokens: this.#countInput() }),
    };
    return event('message_start', { message });
  }

  text(delta: string): StreamEvent | StreamEvent[] {
    return this.#blocks.text(delta);
  }

  toolCall(index: number, id: string, name: string): StreamEvent[] {
    return this.#blocks.toolCall(index, id, name);
  }

  toolArguments(index: number, delta: string): StreamEvent[] {
    return this.#blocks.toolArguments(index, delta);
  }

  forwarded(event: StreamEvent): void {
    this.#blocks.forwarded(event);
  }

  end(answer: ModelAnswer, usage: TokenUsage, forwarded: readonly StreamEvent[] = []): StreamEvent[] {
    if (forwarded.length > 0) return closed(forwarded);
    const delta = { container: null, ...toMessageOutcome(answer) };
    return [
      ...this.#blocks.end(),
      event('message_delta', { delta, usage: messageUsage(usage) }),
      event('message_stop', {}),
    ];
  }

  error(error: AppError): StreamEvent {
    return { event: 'error', data: JSON.stringify(toAnthropicError(error, this.#info.requestId)) };
  }
}

function event(type: string, fields: Record<string, unknown>): StreamEvent {
  return { event: type, data: JSON.stringify({ type, ...fields }) };
}

/** Completes a provider's own last events: a stream that broke off after its usage lacks only `message_stop`. */
function closed(forwarded: readonly StreamEvent[]): StreamEvent[] {
  const isClosed = forwarded.at(-1)?.event === 'message_stop';
  return isClosed ? [...forwarded] : [...forwarded, event('message_stop', {})];
}

interface Block {
  /** The provider's index of the tool call; undefined for a text. */
  call: number | undefined;
  /** As sent in `content_block_start`. */
  start: JsonObject;
  /** Arguments so far. */
  json: string;
  /** Deltas as JSON that wait until the block is open. */
  waiting: string[];
}

/**
 * Writes the content blocks of a streamed message. This dialect has one open block at a time, but a provider may write several
 * tool calls at once: deltas of later blocks wait until the open one is complete.
 */
class MessageBlocks {
  /** The open block, and those that wait for it. */
  #blocks: Block[] = [];
  /** Index of the open block, or else of the next one. */
  #index = 0;

  text(delta: string): StreamEvent | StreamEvent[] {
    const last = this.#blocks.at(-1);
    const written = `{"type":"text_delta","text":${JSON.stringify(delta)}}`;
    if (!last || last.call !== undefined) {
      return this.#add({ call: undefined, start: textBlock(''), json: '', waiting: [written] });
    }
    return last === this.#blocks[0] ? this.#delta(written) : this.#write(last, written);
  }

  toolCall(call: number, id: string, name: string): StreamEvent[] {
    return this.#add({ call, start: toolUseBlock({ id, name }, {}), json: '', waiting: [] });
  }

  toolArguments(call: number, delta: string): StreamEvent[] {
    const block = this.#blocks.find((each) => each.call === call);
    if (!block) return [];
    block.json += delta;
    return [
      ...this.#write(block, `{"type":"input_json_delta","partial_json":${JSON.stringify(delta)}}`),
      ...this.#advance(isComplete),
    ];
  }

  /** Tracks a block that a forwarded event of the provider opened or closed. */
  forwarded({ event, data }: StreamEvent): void {
    if (event === 'content_block_start') {
      const { index, content_block: start } = JSON.parse(data) as { index: number; content_block: JsonObject };
      this.#index = index;
      this.#blocks = [{ call: undefined, start, json: '', waiting: [] }];
    } else if (event === 'content_block_stop') {
      this.#blocks = [];
      this.#index++;
    }
  }

  /** Closes the open block and those that wait, complete or not. */
  end(): StreamEvent[] {
    const events = this.#advance(() => true);
    if (this.#blocks.length > 0) events.push(this.#close());
    return events;
  }

  #add(block: Block): StreamEvent[] {
    this.#blocks.push(block);
    return this.#blocks.length === 1 ? this.#open(block) : this.#advance(isComplete);
  }

  #write(block: Block, delta: string): StreamEvent[] {
    if (block === this.#blocks[0]) return [this.#delta(delta)];
    block.waiting.push(delta);
    return [];
  }

  /** Opens the next waiting block as long as the open one is done. */
  #advance(isDone: (block: Block) => boolean): StreamEvent[] {
    const events: StreamEvent[] = [];
    while (this.#blocks.length > 1 && isDone(this.#blocks[0]!)) {
      events.push(this.#close(), ...this.#open(this.#blocks[0]!));
    }
    return events;
  }

  #open({ start, waiting }: Block): StreamEvent[] {
    const index = this.#index;
    const opened = [blockEvent('content_block_start', { index, content_block: start })];
    if (index === 0) opened.push(blockEvent('ping', {}));
    return [...opened, ...waiting.map((delta) => this.#delta(delta))];
  }

  #close(): StreamEvent {
    this.#blocks.shift();
    return blockEvent('content_block_stop', { index: this.#index++ });
  }

  #delta(delta: string): StreamEvent {
    return {
      event: 'content_block_delta',
      data: `{"type":"content_block_delta","index":${this.#index},"delta":${delta}}`,
    };
  }
}

/** Whether a block is complete: a text once another block follows, a call once its arguments are complete. */
function isComplete({ call, json }: Block): boolean {
  if (call === undefined) return true;
  if (!json.trimEnd().endsWith('}')) return false;
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

function blockEvent(type: string, fields: JsonObject): StreamEvent {
  return { event: type, data: JSON.stringify({ type, ...fields }) };
}
