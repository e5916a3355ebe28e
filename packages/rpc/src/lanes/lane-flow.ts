/** An item of a lane's messages: a call or a reply, or a part of one. */
export interface LaneItem {
  id: number;
  payload?: Uint8Array | undefined;
  /** The payload continues in a later item with the same id. */
  more?: boolean | undefined;
  /** The account of the item; not sent. Flows share the transport fairly. */
  flow?: string | undefined;
}

/** Payloads beyond this are sent in parts of this size. */
export const PART_BYTES_MAX = 64 * 1024;

/** Items of one id, in order, of which the first is large. */
interface LargeQueue<Item> {
  items: Item[];
  /** Bytes of the first item's payload that have been taken. */
  offset: number;
}

/** Items of one flow that wait. Small ones and the parts of large ones alternate; items of one id keep their order. */
export class LaneFlow<Item extends LaneItem> {
  readonly #continuation: (id: number, payload: Uint8Array, more: boolean) => Item;
  #small: Item[] = [];
  /** Small items that have been taken from the front of `#small`. */
  #taken = 0;
  readonly #large = new Map<number, LargeQueue<Item>>();
  #largeBytes = 0;
  #isLargeNext = false;

  constructor(continuation: (id: number, payload: Uint8Array, more: boolean) => Item) {
    this.#continuation = continuation;
  }

  get isEmpty(): boolean {
    return this.#taken === this.#small.length && this.#large.size === 0;
  }

  get largeBytes(): number {
    return this.#largeBytes;
  }

  push(item: Item): void {
    const bytes = item.payload?.length ?? 0;
    const queue = this.#large.get(item.id);
    if (!queue && bytes <= PART_BYTES_MAX) {
      this.#small.push(item);
      return;
    }
    if (queue) {
      queue.items.push(item);
      this.#largeBytes += bytes;
      return;
    }
    const items = [...this.#takeSmallOf(item.id), item];
    this.#large.set(item.id, { items, offset: 0 });
    for (const { payload } of items) this.#largeBytes += payload?.length ?? 0;
  }

  addIds(ids: Set<number>): void {
    for (let i = this.#taken; i < this.#small.length; i++) ids.add((this.#small[i] as Item).id);
    for (const id of this.#large.keys()) ids.add(id);
  }

  /** Drops the items of an id. Returns whether nothing of it has been taken; undefined when it has none. */
  drop(id: number): boolean | undefined {
    const queue = this.#large.get(id);
    if (queue) {
      this.#large.delete(id);
      for (const { payload } of queue.items) this.#largeBytes -= payload?.length ?? 0;
      this.#largeBytes += queue.offset;
      return queue.offset === 0;
    }
    const at = this.#small.findIndex((item, i) => i >= this.#taken && item.id === id);
    if (at < 0) return undefined;
    this.#small.splice(at, 1);
    return true;
  }

  /** The next item; a part of a large payload when the peer can join parts. Call it only when the flow is not empty. */
  take(splits: boolean): Item {
    const hasSmall = this.#taken < this.#small.length;
    if (hasSmall && !(this.#isLargeNext && this.#large.size > 0)) {
      this.#isLargeNext = true;
      return this.#takeSmall();
    }
    this.#isLargeNext = false;
    return this.#takePart(splits);
  }

  #takeSmall(): Item {
    const item = this.#small[this.#taken++] as Item;
    if (this.#taken === this.#small.length) {
      this.#small = [];
      this.#taken = 0;
    }
    return item;
  }

  #takeSmallOf(id: number): Item[] {
    const waiting = this.#small.slice(this.#taken);
    const taken = waiting.filter((item) => item.id === id);
    if (taken.length === 0) return taken;
    this.#small = waiting.filter((item) => item.id !== id);
    this.#taken = 0;
    return taken;
  }

  /** The next part of the large payload whose turn it is. */
  #takePart(splits: boolean): Item {
    const [id, queue] = this.#large.entries().next().value as [number, LargeQueue<Item>];
    this.#large.delete(id);
    const item = queue.items[0] as Item;
    const payload = item.payload ?? new Uint8Array(0);
    const start = queue.offset;
    const end = splits ? Math.min(payload.length, start + PART_BYTES_MAX) : payload.length;
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
    return start === 0 ? { ...item, payload: slice, more } : this.#continuation(id, slice, more);
  }
}
