import type { LaneItem } from './lane-flow.js';

/** Payload bytes of unfinished items on one stream; peers of this version send much less. */
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
