import { parseExactJson } from '../json/exact-json.js';
import { isMostlyText } from '../json/json-bounds.js';
import { yieldLoop } from '../scheduling/loop-share.js';
import type { JsonThread } from './json-thread.js';

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
