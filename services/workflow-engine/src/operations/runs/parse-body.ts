import { AppError } from '@tollgate/errors';
import { type Json, parseJson } from '../../domain/values/json.js';

/**
 * Parses JSON that the caller wrote; returns undefined for an empty string. Whitespace does not count towards the
 * limit.
 *
 * @throws AppError when the text is too large or not JSON
 */
export function parseBody(text: string, maxBytes: number, field: string): Json | undefined {
  if (text === '') return undefined;
  const value = parse(text, field);
  const isTooLarge = Buffer.byteLength(text) > maxBytes && Buffer.byteLength(JSON.stringify(value)) > maxBytes;
  if (isTooLarge) throw new AppError('PAYLOAD_TOO_LARGE', `${field} is larger than ${maxBytes} bytes`);
  return value;
}

function parse(text: string, field: string): Json {
  try {
    return parseJson(text);
  } catch {
    throw new AppError('VALIDATION_ERROR', `${field} is not JSON`);
  }
}
