/** An item of a lane's messages: a call or a reply, or a part of one. */
export interface LaneItem {
  id: number;
  payload?: Uint8Array | undefined;
  /** The payload continues in a later item with the same id. */
  more?: boolean | undefined;
}

/** Payloads beyond this are sent in parts of this size. */
export const PART_BYTES_MAX = 256 * 1024;
/** Whole items are joined into one message up to this size. */
const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;
/** Bytes handed to the transport and not written yet; whole items wait beyond this. */
const IN_FLIGHT_BYTES_MAX = 4 * 1024 * 1024;
/** Parts wait beyond this already, so that small items never queue behind more bytes of large ones. */
const PARTS_IN_FLIGHT_BYTES_MAX = 1024 * 1024;
/** What an item costs beside its payload, roughly. */
const ITEM_OVERHEAD_BYTES = 256;

/** Items of one id, in order, of which the first does not fit into one message. */
interface LargeQueue<Item> {
  items: Item[];
  /** Bytes of the first item's payload that have been sent. */
  offset: number;
}

export interface LaneWriterOptions<Item> {
  /** Sends one message; `written` is called once the transport has taken its bytes. */
  write(items: Item[], written: () => void): void;
  /** An item that carries on the payload of an earlier one. */
  continuation(id: number, payload: Uint8Array, more: boolean): Item;
}

/**
 * Packs items into messages of bounded size. Small items go first; large payloads take turns, one part per message, so
 * that no item waits for another one's size. Items of one id keep their order.
 */
export class LaneWriter<Item extends LaneItem> {
  /** Whether the peer understands parts; without them every payload is sent whole. */
  splits = false;
  readonly #options: LaneWriterOptions<Item>;
  #small: Item[] = [];
  #smallBytes = 0;
  readonly #large = new Map<number, LargeQueue<Item>>();
  #largeBytes = 0;
  #inFlightBytes = 0;

  constructor(options: LaneWriterOptions<Item>) {
    this.#options = options;
  }

  /** Payload bytes that wait to be sent in parts. */
  get largeBytes(): number {
    return this.#largeBytes;
  }

  /** Queues an item until the next `flush`. */
  push(item: Item): void {
    const bytes = item.payload?.length ?? 0;
    const queue = this.#large.size > 0 ? this.#large.get(item.id) : undefined;
    if (queue) {
      queue.items.push(item);
      this.#largeBytes += bytes;
    } else if (bytes > PART_BYTES_MAX) {
      this.#large.set(item.id, { items: [item], offset: 0 });
      this.#largeBytes += bytes;
    } else {
      this.#small.push(item);
      this.#smallBytes += bytes + ITEM_OVERHEAD_BYTES;
    }
  }

  /** Ids of which something has not been sent. */
  waitingIds(): Set<number> {
    return new Set([...this.#small.map(({ id }) => id), ...this.#large.keys()]);
  }

  /** Drops what has not been sent of an id. Returns whether nothing of it has been sent. */
  drop(id: number): boolean {
    const queue = this.#large.get(id);
    if (queue) {
      this.#large.delete(id);
      for (const { payload } of queue.items) this.#largeBytes -= payload?.length ?? 0;
      this.#largeBytes += queue.offset;
      return queue.offset === 0;
    }
    const at = this.#small.findIndex((item) => item.id === id);
    if (at < 0) return false;
    const [item] = this.#small.splice(at, 1);
    this.#smallBytes -= (item?.payload?.length ?? 0) + ITEM_OVERHEAD_BYTES;
    return true;
  }

  /** Sends what the transport has room for; the rest follows as it writes. */
  flush(): void {
    while (this.#inFlightBytes < IN_FLIGHT_BYTES_MAX) {
      const { items, bytes } = this.#takeMessage();
      if (items.length === 0) return;
      this.#inFlightBytes += bytes;
      this.#options.write(items, () => {
        this.#inFlightBytes -= bytes;
        if (this.#small.length > 0 || this.#large.size > 0) this.flush();
      });
    }
  }

  #takeMessage(): { items: Item[]; bytes: number } {
    let bytes = Math.min(this.#smallBytes, MESSAGE_BYTES_MAX);
    let items: Item[];
    if (this.#smallBytes <= MESSAGE_BYTES_MAX) {
      items = this.#small;
      this.#small = [];
      this.#smallBytes = 0;
    } else {
      items = this.#takeSmall();
    }
    if (this.#large.size > 0 && this.#inFlightBytes + bytes < PARTS_IN_FLIGHT_BYTES_MAX) {
      const part = this.#takePart();
      bytes += part.payload?.length ?? 0;
      items.push(part);
    }
    return { items, bytes };
  }

  #takeSmall(): Item[] {
    let bytes = 0;
    let count = 0;
    while (count < this.#small.length && bytes < MESSAGE_BYTES_MAX) {
      bytes += (this.#small[count]?.payload?.length ?? 0) + ITEM_OVERHEAD_BYTES;
      count++;
    }
    this.#smallBytes -= bytes;
    return this.#small.splice(0, count);
  }

  /** The next part of the queue whose turn it is. */
  #takePart(): Item {
    const [id, queue] = this.#large.entries().next().value as [number, LargeQueue<Item>];
    this.#large.delete(id);
    const item = queue.items[0] as Item;
    const payload = item.payload ?? new Uint8Array(0);
    const start = queue.offset;
    const end = this.splits ? Math.min(payload.length, start + PART_BYTES_MAX) : payload.length;
    const more = end < payload.length;
    this.#largeBytes -= end - start;
    queue.offset = end;
    if (!more) {
      queue.items.shift();
      queue.offset = 0;
    }
    if (queue.items.length > 0) this.#large.set(id, queue);
    if (start === 0 && !more) return item;
    const slice = payload.subarray(start, end);
    return start === 0 ? { ...item, payload: slice, more } : this.#options.continuation(id, slice, more);
  }
}

/** Payload bytes of unfinished items on one stream; a peer of this repository stays far below. */
const JOINING_BYTES_MAX = 512 * 1024 * 1024;

/** Puts payloads that arrive in parts together. */
export class LaneJoiner<Item extends LaneItem> {
  readonly #open = new Map<number, { head: Item; parts: Uint8Array[]; bytes: number }>();
  #bytes = 0;

  /**
   * Returns the whole item once its last part has arrived.
   *
   * @throws RangeError when the stream's unfinished items are too large; what had arrived of this one is dropped
   */
  join(item: Item): Item | undefined {
    const open = this.#open.size > 0 ? this.#open.get(item.id) : undefined;
    if (!open && !item.more) return item;
    const payload = item.payload ?? new Uint8Array(0);
    const { head, parts, bytes } = open ?? { head: item, parts: [], bytes: 0 };
    parts.push(payload);
    this.#bytes += payload.length;
    this.#open.set(item.id, { head, parts, bytes: bytes + payload.length });
    if (this.#bytes > JOINING_BYTES_MAX) {
      this.drop(item.id);
      throw new RangeError(`more than ${JOINING_BYTES_MAX} bytes of unfinished items on one stream`);
    }
    if (item.more) return undefined;
    this.drop(item.id);
    return { ...head, payload: Buffer.concat(parts, bytes + payload.length), more: false };
  }

  /** Forgets what has arrived of an item. */
  drop(id: number): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    this.#bytes -= open.bytes;
  }
}
