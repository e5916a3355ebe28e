import { AppError } from '@tollgate/errors';

const LIMIT_MAX = 200;

/** Bounds a page. @throws AppError VALIDATION_ERROR */
export function requireLimit(limit: number): void {
  if (limit < 1 || limit > LIMIT_MAX) throw new AppError('VALIDATION_ERROR', `limit must be from 1 to ${LIMIT_MAX}`);
}
