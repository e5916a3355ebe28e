import type { ProviderId } from '@tollgate/api/model-requests';
import type { Charge } from '../../clients/settlements.js';
import type { StreamEvent } from '../../dialects/dialect.js';
import type { ProtoUsage } from '../../domain/usage.js';

/** One message of the answer's stream; the init form of GenerateResponse. */
export interface Frame {
  data?: Uint8Array;
  event?: string;
  model?: string;
  provider?: string;
  droppedParameters?: string[];
  usage?: ProtoUsage;
  charge?: Charge;
  hasFailed?: boolean;
  more?: { data: Uint8Array; event: string }[];
}

/** The fields of the first frame of a turn. */
export interface FrameHead {
  model: string;
  provider: ProviderId;
  /** Parameters that the provider lacks; absent if none. */
  droppedParameters?: string[];
}

/** The contents of the last frame of a turn. */
export interface LastFrame {
  /** The usage that the ledger acknowledged; absent when it has not, or when there was nothing to settle. */
  usage?: ProtoUsage;
  charge?: Charge;
  /** The last event reports an error. */
  hasFailed?: boolean;
}

/** Notified when the reader is slower than the writer, and when it leaves. */
export interface QueueOwner {
  readerIsSlow(): void;
  readerCaughtUp(): void;
  readerLeft(): void;
}

/** Waiting bytes above which the source is paused, and below which it is resumed. */
const HIGH_WATER_BYTES = 64 * 1024;
const LOW_WATER_BYTES = 16 * 1024;
/** Events are combined up to this size, so that the transport's messages stay small. */
const FRAME_BYTES_MAX = 32 * 1024;

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

interface QueuedEvent {
  data: Uint8Array;
  event: string;
}

/**
 * Connects the provider, which pushes, to the transport, which pulls. Everything pushed in one tick of the event loop, or
 * while the reader was busy, leaves as one frame. Memory is bounded by pausing the source.
 *
 * The runtime's `Channel` does not fit: it hands over single items, and keeps those that were not read when it fails.
 */
export class FrameQueue implements AsyncIterableIterator<Frame> {
  readonly #owner: QueueOwner;
  #events: QueuedEvent[] = [];
  #bytes = 0;
  #isSourcePaused = false;
  #head: FrameHead | undefined;
  #last: LastFrame = {};
  #hasEnded = false;
  #error: unknown;
  #waiting: { resolve(result: IteratorResult<Frame>): void; reject(error: unknown): void } | undefined;
  #isFlushScheduled = false;

  constructor(owner: QueueOwner) {
    this.#owner = owner;
  }

  /** Bytes that the reader has not read yet. */
  get waitingBytes(): number {
    return this.#bytes;
  }

  /** Whether the source is paused; if so, a new source must also start paused. */
  get isFull(): boolean {
    return this.#isSourcePaused;
  }

  push({ data, event = '' }: StreamEvent): void {
    this.pushBytes(Buffer.from(data), event);
  }

  pushBytes(data: Uint8Array, event = ''): void {
    if (this.#hasEnded) return;
    this.#events.push({ data, event });
    this.#bytes += data.length;
    if (!this.#isSourcePaused && this.#bytes > HIGH_WATER_BYTES) {
      this.#isSourcePaused = true;
      this.#owner.readerIsSlow();
    }
    this.#scheduleFlush();
  }

  /** Sets the fields of the first frame. */
  setHead(head: FrameHead): void {
    this.#head = head;
  }

  /** Ends the events. */
  end(last: LastFrame): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#last = last;
    this.#scheduleFlush();
  }

  /** Ends with an error. Drops the events that have not been read: no part of a failed answer is valid. */
  fail(error: unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#events = [];
    this.#bytes = 0;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) waiting.reject(error);
    else this.#error = error;
  }

  next(): Promise<IteratorResult<Frame>> {
    if (this.#error !== undefined) {
      const error = this.#error;
      this.#error = undefined;
      return Promise.reject(error);
    }
    if (this.#events.length > 0) return Promise.resolve({ done: false, value: this.#take() });
    if (this.#hasEnded) return Promise.resolve(DONE);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  return(): Promise<IteratorResult<Frame>> {
    const wasOpen = !this.#hasEnded;
    this.#hasEnded = true;
    this.#events = [];
    this.#bytes = 0;
    if (wasOpen) this.#owner.readerLeft();
    return Promise.resolve(DONE);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #scheduleFlush(): void {
    if (this.#isFlushScheduled || !this.#waiting) return;
    this.#isFlushScheduled = true;
    queueMicrotask(this.#flush);
  }

  readonly #flush = (): void => {
    this.#isFlushScheduled = false;
    const waiting = this.#waiting;
    if (!waiting) return;
    if (this.#events.length > 0) {
      this.#waiting = undefined;
      waiting.resolve({ done: false, value: this.#take() });
    } else if (this.#hasEnded) {
      this.#waiting = undefined;
      waiting.resolve(DONE);
    }
  };

  #take(): Frame {
    const taken = this.#takeEvents();
    for (const { data } of taken) this.#bytes -= data.length;
    const frame: Frame = taken.length === 1 ? { data: taken[0]!.data, event: taken[0]!.event } : { more: taken };
    if (this.#head) {
      Object.assign(frame, this.#head);
      this.#head = undefined;
    }
    if (this.#hasEnded && this.#events.length === 0) Object.assign(frame, this.#last);
    if (this.#isSourcePaused && this.#bytes <= LOW_WATER_BYTES) {
      this.#isSourcePaused = false;
      this.#owner.readerCaughtUp();
    }
    return frame;
  }

  #takeEvents(): QueuedEvent[] {
    const events = this.#events;
    let bytes = 0;
    for (let i = 0; i < events.length; i++) {
      bytes += events[i]!.data.length;
      if (bytes <= FRAME_BYTES_MAX || i === 0) continue;
      this.#events = events.slice(i);
      return events.slice(0, i);
    }
    this.#events = [];
    return events;
  }
}
