import { AppError } from '@tollgate/errors';
import type { Json } from '../../domain/values/json.js';

/** JSON of the caller's making; undefined when there is none. @throws AppError for what is too large or no JSON */
export function parseBody(text: string, maxBytes: number, field: string): Json | undefined {
  if (text === '') return undefined;
  if (Buffer.byteLength(text) > maxBytes) {
    throw new AppError('PAYLOAD_TOO_LARGE', `${field} is larger than ${maxBytes} bytes`);
  }
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new AppError('VALIDATION_ERROR', `${field} is not JSON`);
  }
}
