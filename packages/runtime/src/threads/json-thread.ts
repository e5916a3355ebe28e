import { fromMarked, MARK, parseExactJson, toMarked } from '../json/exact-json.js';
import { isMostlyText } from '../json/json-bounds.js';
import { yieldLoop } from '../scheduling/loop-share.js';
import { FairThread, ThreadError } from './job-thread.js';
import type * as jobs from './json-jobs.js';

/** The bytes of bodies are bounded where they arrive; with these places, that bound is reached first. */
const WAITING_MAX = 1_024;
/** Of one job; a body of 32 MiB takes less than a second. */
const TIMEOUT_MS = 15_000;
const IDLE_MS = 5_000;
const HEAP_MB_MAX = 512;

/**
 * Reads and writes JSON with long strings in a thread of its own: a file of 20 MB in a body would block the event loop for a
 * tenth of a second or more at each step. What passes between the threads is copied, which is quick for long strings but slower than
 * parsing for many small values: leave those to `JSON.parse`. One job runs at a time, because
 * it holds several copies of a body of up to tens of megabytes; accounts take turns.
 */
export class JsonThread {
  readonly #thread: FairThread<typeof jobs>;

  constructor({ idleMs = IDLE_MS }: { idleMs?: number } = {}) {
    const limits = { waitingMax: WAITING_MAX, timeoutMs: TIMEOUT_MS, heapMbMax: HEAP_MB_MAX };
    this.#thread = new FairThread({ module: new URL('./json-jobs.js', import.meta.url), idleMs, ...limits });
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
    const result = await this.#thread.run(account, { text, isExact, mark: MARK }, signal);
    if (!('value' in result)) throw new SyntaxError('invalid JSON');
    return result.isMarked ? fromMarked(result.value, MARK) : result.value;
  }

  /** Returns what `writeExactJson` writes, as UTF-8. `signal` ends the wait for the thread. @throws ThreadError; the signal's reason */
  async stringify(account: string, value: object, signal?: AbortSignal): Promise<Uint8Array> {
    const job = { value: toMarked(value, MARK) as object, mark: MARK };
    const result = await this.#thread.run(account, job, signal);
    if (!('bytes' in result)) throw new ThreadError('the thread wrote no JSON');
    return result.bytes;
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }
}

/** JSON above this size takes a millisecond or more to parse: `parseLarge` parses it. */
export const LARGE_JSON_BYTES = 128 * 1024;

export interface LargeJson {
  value: unknown;
  /** It consists of long strings: it is quick to copy to another thread, and slow to parse and to write. */
  isMostlyText: boolean;
}

/**
 * Parses large UTF-8 on behalf of an account: long strings in the thread, because they take a tenth of a second; many small values
 * here, in a share of the event loop, because passing them between threads takes longer than parsing them. With `isExact` like
 * `parseExactJson`. `signal` ends the wait.
 *
 * @throws SyntaxError for invalid JSON; ThreadError; the signal's reason
 */
export async function parseLarge(
  thread: Pick<JsonThread, 'parse'>,
  account: string,
  bytes: Uint8Array,
  { signal, isExact = false }: { signal?: AbortSignal | undefined; isExact?: boolean } = {},
): Promise<LargeJson> {
  await yieldLoop(account);
  signal?.throwIfAborted();
  const isText = isMostlyText(bytes);
  const value = isText ? await thread.parse(account, bytes, signal, { isExact }) : parseHere(bytes, isExact);
  await yieldLoop(account);
  signal?.throwIfAborted();
  return { value, isMostlyText: isText };
}

function parseHere({ buffer, byteOffset, byteLength }: Uint8Array, isExact: boolean): unknown {
  const text = Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
  return isExact ? parseExactJson(text) : JSON.parse(text);
}
