import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { parseExactJson } from '@tollgate/runtime';
import { type JsonThread, type LargeJson, parseLarge, ThreadError } from '@tollgate/runtime/threads';

/** The parsed body of a request. */
export interface ParsedBody extends LargeJson {
  value: Record<string, unknown>;
}

/** Parses a body that the caller has validated. @throws AppError VALIDATION_ERROR when it is not a JSON object */
export function parseBody(bytes: Uint8Array): Record<string, unknown> {
  try {
    return toObject(parseExactJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')));
  } catch {
    throw notAnObject();
  }
}

/**
 * Like `parseBody`, for a body that takes long.
 *
 * @throws AppError; SERVICE_UNAVAILABLE when too many large bodies wait; the reason of a call that is aborted
 */
export async function parseLargeBody(thread: JsonThread, call: Call, bytes: Uint8Array): Promise<ParsedBody> {
  try {
    const parsed = await parseLarge(thread, toAccount(call), bytes, { signal: call.signal, isExact: true });
    return { ...parsed, value: toObject(parsed.value) };
  } catch (error) {
    if (call.isAborted) throw call.abortReason;
    throw error instanceof ThreadError ? busy(error) : notAnObject();
  }
}

/** Whose turn in the thread a call uses. */
export function toAccount({ principal }: Call): string {
  return principal?.accountId ?? '';
}

function toObject(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw notAnObject();
}

function notAnObject(): AppError {
  return new AppError('VALIDATION_ERROR', 'the body must be a JSON object');
}

function busy(cause: ThreadError): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'too many large requests at once, try again later', {
    cause,
    retryAfterSeconds: 1,
  });
}
