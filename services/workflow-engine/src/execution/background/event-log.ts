import {
  NO_ITEMS,
  readItems,
  readLastResponse,
  type StreamPlace,
  toItemEnds,
  toNextEvent,
} from '../../domain/background/background-events.js';
import { backgroundLimits } from '../../domain/background/background-request.js';
import type { ReaderEvent } from '../../domain/run/run-event.js';
import { appendBackgroundEvents, readBackgroundEvents } from '../../store/background/background-events.js';
import type { LeasedBackground } from '../../store/background/background-queue.js';
import type { Pool } from '../../store/database.js';

/** Sequence number of the event with which every stream starts, before its first attempt. */
const LAST_OF_START = 1;
/** Joins the events of this time into one row. */
const JOIN_MS = 50;
/** The provider waits while more events than this wait for the database. */
const WAITING_CHARS_MAX = 256 * 1024;
/** Events are dropped when the database is unavailable for longer than it takes to collect so many. */
const KEPT_CHARS_MAX = 1024 * 1024;

interface EventLogOptions {
  pool: Pool;
  /** Called with events that were stored. */
  onAppended: (id: string, events: readonly ReaderEvent[]) => void;
}

/**
 * Stores the events of one attempt at a streamed response, until its lease is lost. The last event is not among them: it is stored with
 * the end of the response. A stream that cannot be stored, or is too large, is silent until then; the attempt continues.
 */
export class EventLog {
  readonly #options: EventLogOptions;
  readonly #item: LeasedBackground & StreamPlace;
  #stored: number;
  #next: number;
  #bytes: number;
  /** Output items of lost attempts. */
  #itemsBefore = 0;
  #isFirst = true;
  #waiting: ReaderEvent[] = [];
  #waitingChars = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isSilent = false;

  constructor(options: EventLogOptions, item: LeasedBackground & StreamPlace) {
    this.#options = options;
    this.#item = item;
    this.#stored = item.lastEvent;
    this.#next = item.lastEvent + 1;
    this.#bytes = item.eventBytes;
  }

  /** Ends what lost attempts have left open. Comes before the attempt. @throws when the database is unavailable */
  async resume(): Promise<void> {
    const { pool } = this.#options;
    const { id, lastEvent } = this.#item;
    if (lastEvent <= LAST_OF_START) return;
    let items = NO_ITEMS;
    for (let after = LAST_OF_START; after < lastEvent; ) {
      const { events } = await readBackgroundEvents(pool, id, after);
      if (events.length === 0) break;
      items = readItems(items, events);
      after = events.at(-1)!.seq;
    }
    this.#isFirst = false;
    this.#itemsBefore = items.count;
    for (const event of toItemEnds(items, this.#next)) this.#push(event);
  }

  /** Takes an event of the answer. Returns the JSON of the response with which the answer ends, once the other events are stored. */
  async take(json: string): Promise<string | undefined> {
    const event = JSON.parse(json) as Record<string, unknown>;
    const last = readLastResponse(event);
    if (last !== undefined) {
      await this.flush();
      return last;
    }
    if (!this.#isSilent) await this.#add(event);
    return undefined;
  }

  /** Stores the events that wait, if it can. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #add(received: Record<string, unknown>): Promise<void> {
    const attempt = { isFirst: this.#isFirst, itemsBefore: this.#itemsBefore };
    const event = toNextEvent(received, this.#item.id, this.#next, attempt);
    if (!event) return;
    const bytes = Buffer.byteLength(event.json);
    // No event follows a gap: libraries read an item's events on top of each other.
    if (this.#bytes + bytes > backgroundLimits.eventBytes || this.#next >= backgroundLimits.events) {
      this.#isSilent = true;
      return;
    }
    this.#push(event);
    this.#bytes += bytes;
    if (this.#waitingChars > WAITING_CHARS_MAX) await this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), JOIN_MS);
  }

  #push(event: ReaderEvent): void {
    this.#next += 1;
    this.#waiting.push(event);
    this.#waitingChars += event.json.length;
  }

  /** Events that could not be stored wait for the next write. */
  async #write(): Promise<void> {
    const events = this.#waiting;
    if (events.length === 0) return;
    this.#waiting = [];
    const chars = this.#waitingChars;
    this.#waitingChars = 0;
    const { pool, onAppended } = this.#options;
    try {
      const isHeld = await appendBackgroundEvents(pool, this.#item, this.#stored, events);
      if (!isHeld) return this.#silence();
      this.#stored = events.at(-1)!.seq;
      onAppended(this.#item.id, events);
    } catch {
      this.#waiting = [...events, ...this.#waiting];
      this.#waitingChars += chars;
      if (this.#waitingChars > KEPT_CHARS_MAX) this.#silence();
    }
  }

  #silence(): void {
    this.#isSilent = true;
    this.#waiting = [];
    this.#waitingChars = 0;
  }
}
