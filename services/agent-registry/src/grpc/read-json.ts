import { AppError } from '@tollgate/errors';
import { parseExactJson } from '@tollgate/runtime';

/** @throws AppError VALIDATION_ERROR naming the field */
export function readValue(json: string, field: string): unknown {
  try {
    return parseExactJson(json);
  } catch (cause) {
    throw refused(field, 'must be JSON', cause);
  }
}

/** Reads empty text as an empty object. @throws AppError VALIDATION_ERROR naming the field */
export function readObject(json: string, field: string): Record<string, unknown> {
  const value = json === '' ? {} : readValue(json, field);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw refused(field, 'must be an object');
}

function refused(field: string, message: string, cause?: unknown): AppError {
  return new AppError('VALIDATION_ERROR', `${field}: ${message}`, { fields: [{ field, message }], cause });
}
