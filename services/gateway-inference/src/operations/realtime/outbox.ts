import type { MessageInitShape } from '@bufbuild/protobuf';
import type { OpenSessionResponseSchema } from '@tollgate/contracts/inference/v1/realtime_pb.js';
import { Channel, type JsonObject } from '@tollgate/runtime';

export type SessionItem = MessageInitShape<typeof OpenSessionResponseSchema>;

/** Unread items above this many bytes stop the reading of the vendor. */
const UNREAD_BYTES_MAX = 256 * 1024;

/** The items that the caller of a session reads. Their writer waits while too much is unread. */
export class Outbox {
  readonly items: Channel<SessionItem>;
  #unreadBytes = 0;
  #waiting: (() => void)[] = [];
  #hasReader = true;

  constructor() {
    this.items = new Channel<SessionItem>(
      (bytes) => this.#taken(bytes),
      () => this.end(),
    );
  }

  /** Nothing is sent to a client that has left. */
  leave(): void {
    this.#hasReader = false;
  }

  sendEvent(event: JsonObject): Promise<void> {
    return this.sendText(JSON.stringify(event));
  }

  /** Sends an event as JSON. Resolves when there is room for more. */
  async sendText(text: string): Promise<void> {
    if (!this.#hasReader) return;
    const bytes = Buffer.from(text);
    await this.push({ item: { case: 'event', value: bytes } }, bytes.length);
  }

  /** Resolves when there is room for more. */
  async push(item: SessionItem, bytes: number): Promise<void> {
    this.#unreadBytes += bytes;
    this.items.push(item, bytes);
    if (this.#unreadBytes > UNREAD_BYTES_MAX) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  end(): void {
    this.items.end();
    this.#wake();
  }

  #taken(bytes: number): void {
    this.#unreadBytes -= bytes;
    if (this.#unreadBytes <= UNREAD_BYTES_MAX / 2) this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
