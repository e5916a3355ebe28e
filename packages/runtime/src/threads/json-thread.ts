import { fromMarked, MARK, MAYBE_INEXACT, markNumbers, toMarked } from '../json/exact-json.js';
import { FairThread } from './fair-thread.js';

/** The bytes of bodies are bounded where they arrive; with these places, that bound is reached first. */
const WAITING_MAX = 1_024;
/** Of one job; a body of 32 MiB takes less than a second. */
const TIMEOUT_MS = 15_000;
const IDLE_MS = 5_000;
const HEAP_MB_MAX = 512;

/** A loader of TypeScript may name functions with a helper of its own. */
const SOURCE = `
const __name = (named) => named;
const markNumbers = ${markNumbers};
const { mark } = workerData;
const MARKED = new RegExp('"' + mark + '([-+.0-9eE]+)"', 'g');
const textOf = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
async function run({ text, isExact, value }) {
  if (!text) {
    const json = JSON.stringify(value);
    return { bytes: new TextEncoder().encode(json.includes(mark) ? json.replace(MARKED, '$1') : json) };
  }
  try {
    const sent = textOf(text);
    const marked = isExact && ${MAYBE_INEXACT}.test(sent) ? markNumbers(sent, mark) : sent;
    return { value: JSON.parse(marked), isMarked: marked !== sent };
  } catch {
    return { isInvalid: true };
  }
}`;

type Job = { text: Uint8Array; isExact: boolean } | { value: object };

interface Result {
  value?: unknown;
  isMarked?: boolean;
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
    this.#thread = new FairThread({ source: SOURCE, data: { mark: MARK }, idleMs, ...limits });
  }

  get isRunning(): boolean {
    return this.#thread.isRunning;
  }

  /**
   * Parses UTF-8, with `isExact` like `parseExactJson`. `signal` ends the wait for the thread.
   *
   * @throws SyntaxError for invalid JSON; ThreadError; the signal's reason
   */
  async parse(account: string, text: Uint8Array, signal?: AbortSignal, { isExact = false } = {}): Promise<unknown> {
    const { value, isInvalid, isMarked } = await this.#thread.run(account, { text, isExact }, signal);
    if (isInvalid) throw new SyntaxError('invalid JSON');
    return isMarked ? fromMarked(value, MARK) : value;
  }

  /** Returns what `writeExactJson` writes, as UTF-8. `signal` ends the wait for the thread. @throws ThreadError; the signal's reason */
  async stringify(account: string, value: object, signal?: AbortSignal): Promise<Uint8Array> {
    const { bytes } = await this.#thread.run(account, { value: toMarked(value, MARK) as object }, signal);
    return bytes!;
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }
}
