import { AppError } from '@tollgate/errors';
import type { Json } from '../../domain/values/json.js';

/**
 * Parses JSON that the caller wrote; returns undefined for an empty string. Whitespace does not count towards the
 * limit.
 *
 * @throws AppError when the text is too large or not JSON
 */
export function parseBody(
  text: string,
  maxBytes: number,
  field: string,
  read: (text: string) => Json = JSON.parse,
): Json | undefined {
  if (text === '') return undefined;
  const value = parse(text, field, read);
  const isTooLarge = Buffer.byteLength(text) > maxBytes && Buffer.byteLength(JSON.stringify(value)) > maxBytes;
  if (isTooLarge) throw new AppError('PAYLOAD_TOO_LARGE', `${field} is larger than ${maxBytes} bytes`);
  return value;
}

function parse(text: string, field: string, read: (text: string) => Json): Json {
  try {
    return read(text);
  } catch {
    throw new AppError('VALIDATION_ERROR', `${field} is not JSON`);
  }
}
