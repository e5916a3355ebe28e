import { AppError } from '@tollgate/errors';

/** Parses a body that the caller has validated. @throws AppError VALIDATION_ERROR when it is not a JSON object */
export function parseBody(bytes: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Reported below, like every other body that is not an object.
  }
  throw new AppError('VALIDATION_ERROR', 'the body must be a JSON object');
}
