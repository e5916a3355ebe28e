import { FairThread } from './fair-thread.js';

/** The bytes of bodies are bounded where they arrive; with these places, that bound is reached first. */
const WAITING_MAX = 1_024;
/** Of one job; a body of 32 MiB takes less than a second. */
const TIMEOUT_MS = 15_000;
const IDLE_MS = 5_000;
const HEAP_MB_MAX = 512;

const SOURCE = `
const textOf = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
async function run({ text, value }) {
  if (!text) return { bytes: new TextEncoder().encode(JSON.stringify(value)) };
  try {
    return { value: JSON.parse(textOf(text)) };
  } catch {
    return { isInvalid: true };
  }
}`;

type Job = { text: Uint8Array } | { value: object };

interface Result {
  value?: unknown;
  isInvalid?: boolean;
  bytes?: Uint8Array;
}

/**
 * Reads and writes JSON with long strings in a thread of its own: a file of 20 MB in a body would block the event loop for a
 * tenth of a second or more at each step. What passes between the threads is copied, which is quick for long strings but slower than
 * parsing for many small values: leave those to `JSON.parse`. One job runs at a time, because
 * it holds several copies of a body of up to tens of megabytes; accounts take turns.
 */
export class JsonThread {
  readonly #thread: FairThread<Job, Result>;

  constructor({ idleMs = IDLE_MS }: { idleMs?: number } = {}) {
    const limits = { waitingMax: WAITING_MAX, timeoutMs: TIMEOUT_MS, heapMbMax: HEAP_MB_MAX };
    this.#thread = new FairThread({ source: SOURCE, idleMs, ...limits });
  }

  get isRunning(): boolean {
    return this.#thread.isRunning;
  }

  /**
   * Parses UTF-8. `signal` ends the wait for the thread.
   *
   * @throws SyntaxError for invalid JSON; ThreadError; the signal's reason
   */
  async parse(account: string, text: Uint8Array, signal?: AbortSignal): Promise<unknown> {
    const { value, isInvalid } = await this.#thread.run(account, { text }, signal);
    if (isInvalid) throw new SyntaxError('invalid JSON');
    return value;
  }

  /** Returns what `JSON.stringify` writes, as UTF-8. `signal` ends the wait for the thread. @throws ThreadError; the signal's reason */
  async stringify(account: string, value: object, signal?: AbortSignal): Promise<Uint8Array> {
    const { bytes } = await this.#thread.run(account, { value }, signal);
    return bytes!;
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }
}
