import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { JsonObject } from '@tollgate/runtime';
import { type JsonThread, LARGE_JSON_BYTES, parseLarge, ThreadError } from '@tollgate/runtime/threads';

/**
 * Parses a JSON object that was validated when it was stored.
 *
 * @throws AppError SERVICE_UNAVAILABLE when too many large ones wait; the reason of a call that is aborted
 */
export async function parseLargeJson(thread: JsonThread, text: string, call: Call): Promise<JsonObject> {
  if (text.length <= LARGE_JSON_BYTES) return JSON.parse(text) as JsonObject;
  const { accountId } = call.requirePrincipal();
  try {
    const { value } = await parseLarge(thread, accountId, Buffer.from(text), { signal: call.signal });
    return value as JsonObject;
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error;
    const message = 'too many large requests at once, try again later';
    throw new AppError('SERVICE_UNAVAILABLE', message, { cause: error, retryable: true });
  }
}
