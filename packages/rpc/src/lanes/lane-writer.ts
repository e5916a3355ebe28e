import { LaneFlow, type LaneItem } from './lane-flow.js';

/** Maximum bytes that are handed to the transport and not written yet. Further bytes wait, and flows take turns. */
const IN_FLIGHT_BYTES_MAX = 256 * 1024;
/** Bytes that one flow may send before the next flow's turn. */
const TURN_BYTES = 16 * 1024;
/** The cost of an item in addition to its payload, in bytes: mostly CPU time of its receiver. */
const ITEM_OVERHEAD_BYTES = 256;

export interface LaneWriterOptions<Item> {
  /** Sends one message; `written` is called once the transport has taken its bytes. */
  write(items: Item[], written: () => void): void;
  /** An item that continues the payload of an earlier one. */
  continuation(id: number, payload: Uint8Array, more: boolean): Item;
}

/**
 * Packs items into messages of bounded size. As long as the transport keeps up, the items of one flush are one message, in
 * order. The rest waits per flow (account); flows take turns, so that no flow waits for another's
 * backlog. Items of one id keep their order.
 */
export class LaneWriter<Item extends LaneItem> {
  /** Whether the peer joins parts; otherwise every payload is sent whole. */
  splits = false;
  readonly #options: LaneWriterOptions<Item>;
  #small: Item[] = [];
  #smallBytes = 0;
  readonly #flows = new Map<string, LaneFlow<Item>>();
  #inFlightBytes = 0;

  constructor(options: LaneWriterOptions<Item>) {
    this.#options = options;
  }

  /** Payload bytes that wait to be sent in parts. */
  get largeBytes(): number {
    let bytes = 0;
    for (const flow of this.#flows.values()) bytes += flow.largeBytes;
    return bytes;
  }

  /** Queues an item until the next `flush`. */
  push(item: Item): void {
    const bytes = item.payload?.length ?? 0;
    if (this.#flows.size > 0 || bytes > TURN_BYTES) {
      this.#share();
      this.#wait(item);
      return;
    }
    this.#small.push(item);
    this.#smallBytes += bytes + ITEM_OVERHEAD_BYTES;
  }

  /** Ids with unsent items. */
  waitingIds(): Set<number> {
    const ids = new Set(this.#small.map(({ id }) => id));
    for (const flow of this.#flows.values()) flow.addIds(ids);
    return ids;
  }

  /** Drops the unsent items of an id. Returns whether none of its items has been sent. */
  drop(id: number): boolean {
    const at = this.#small.findIndex((item) => item.id === id);
    if (at >= 0) {
      const [item] = this.#small.splice(at, 1);
      this.#smallBytes -= (item?.payload?.length ?? 0) + ITEM_OVERHEAD_BYTES;
      return true;
    }
    for (const [name, flow] of this.#flows) {
      const dropped = flow.drop(id);
      if (dropped === undefined) continue;
      if (flow.isEmpty) this.#flows.delete(name);
      return dropped;
    }
    return false;
  }

  /** Sends as much as the transport accepts; the rest follows when it has written. */
  flush(): void {
    for (;;) {
      const room = IN_FLIGHT_BYTES_MAX - this.#inFlightBytes;
      if (room <= 0) return;
      const { items, bytes } = this.#takeMessage(room);
      if (items.length === 0) return;
      this.#inFlightBytes += bytes;
      this.#options.write(items, () => {
        this.#inFlightBytes -= bytes;
        if (this.#small.length > 0 || this.#flows.size > 0) this.flush();
      });
    }
  }

  #takeMessage(room: number): { items: Item[]; bytes: number } {
    if (this.#flows.size > 0 || this.#smallBytes > room) {
      this.#share();
      return this.#takeTurns(room);
    }
    const message = { items: this.#small, bytes: this.#smallBytes };
    this.#small = [];
    this.#smallBytes = 0;
    return message;
  }

  /** From here on the flows take turns. */
  #share(): void {
    if (this.#small.length === 0) return;
    const items = this.#small;
    this.#small = [];
    this.#smallBytes = 0;
    for (const item of items) this.#wait(item);
  }

  #wait(item: Item): void {
    const name = item.flow ?? '';
    let flow = this.#flows.get(name);
    if (!flow) {
      flow = new LaneFlow(this.#options.continuation);
      this.#flows.set(name, flow);
    }
    flow.push(item);
  }

  #takeTurns(room: number): { items: Item[]; bytes: number } {
    const items: Item[] = [];
    let bytes = 0;
    while (bytes < room && this.#flows.size > 0) {
      const [name, flow] = this.#flows.entries().next().value as [string, LaneFlow<Item>];
      // Behind the others until its next turn.
      this.#flows.delete(name);
      for (let turn = 0; turn < TURN_BYTES && !flow.isEmpty; ) {
        const item = flow.take(this.splits);
        items.push(item);
        turn += (item.payload?.length ?? 0) + ITEM_OVERHEAD_BYTES;
        bytes += (item.payload?.length ?? 0) + ITEM_OVERHEAD_BYTES;
      }
      if (!flow.isEmpty) this.#flows.set(name, flow);
    }
    return { items, bytes };
  }
}
