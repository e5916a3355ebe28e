import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { type JsonThread, ThreadError } from '@tollgate/runtime/threads';

/** Parsing this much takes about a millisecond. Passing less to another thread takes longer. */
const LARGE_CHARACTERS = 256 * 1024;

type Json = Record<string, unknown>;

/**
 * Parses a JSON object that was validated when it was stored: a large one in another thread, where accounts take turns.
 *
 * @throws AppError SERVICE_UNAVAILABLE when too many large ones wait; the reason of a call that is aborted
 */
export async function parseLargeJson(thread: JsonThread, text: string, call: Call): Promise<Json> {
  if (text.length <= LARGE_CHARACTERS) return JSON.parse(text) as Json;
  const { accountId } = call.requirePrincipal();
  try {
    return (await thread.parse(accountId, Buffer.from(text), call.signal)) as Json;
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error;
    const message = 'too many large requests at once, try again later';
    throw new AppError('SERVICE_UNAVAILABLE', message, { cause: error, retryable: true });
  }
}
