import { isUtf8 } from 'node:buffer';
import { AppError } from '@tollgate/errors';
import { yieldLoop } from '@tollgate/runtime';
import { hasInfinity, requestJsonBounds, scanJson } from '@tollgate/runtime/json-bounds';
import { type JsonThread, parseLarge } from '@tollgate/runtime/threads';
import { overloaded } from './read-body.js';

const { levels, members, names } = requestJsonBounds;
const refusals = {
  levels: `the request body is nested deeper than ${levels} levels`,
  members: `the request body has more than ${members} members and elements`,
  names: `the request body has more than ${names} members of objects`,
};

/** @throws AppError INVALID_INPUT for invalid JSON, and JSON beyond the bounds */
export function parseJson(body: Buffer): unknown {
  const { mayOverflow } = checkText(body);
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw notJson();
  }
  return checkNumbers(value, mayOverflow);
}

/** @throws AppError INVALID_INPUT for a body that is not a JSON object */
export function parseJsonObject(body: Buffer): Record<string, unknown> {
  return toObject(parseJson(body));
}

/**
 * Like `parseJsonObject`, for a body that takes long: on behalf of an account, and unless `signal` aborts.
 *
 * @throws AppError; SERVICE_UNAVAILABLE when too many large bodies wait; the signal's reason
 */
export async function parseLargeJsonObject(
  body: Buffer,
  thread: Pick<JsonThread, 'parse'>,
  account: string,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  await yieldLoop(account);
  signal?.throwIfAborted();
  const { mayOverflow } = checkText(body);
  let value: unknown;
  try {
    ({ value } = await parseLarge(thread, account, body, { signal }));
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof SyntaxError ? notJson() : overloaded();
  }
  return toObject(checkNumbers(value, mayOverflow));
}

function checkText(body: Buffer): { mayOverflow: boolean } {
  if (!isUtf8(body)) throw new AppError('INVALID_INPUT', 'the request body is not valid UTF-8');
  const { exceeded, mayOverflow } = scanJson(body, requestJsonBounds);
  if (exceeded) throw new AppError('INVALID_INPUT', refusals[exceeded]);
  return { mayOverflow };
}

function notJson(): AppError {
  return new AppError('INVALID_INPUT', 'the request body is not valid JSON');
}

function checkNumbers(value: unknown, mayOverflow: boolean): unknown {
  if (mayOverflow && hasInfinity(value)) {
    throw new AppError('INVALID_INPUT', 'the request body has a number that is too large');
  }
  return value;
}

function toObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('INVALID_INPUT', 'the request body must be a JSON object');
  }
  return value as Record<string, unknown>;
}
