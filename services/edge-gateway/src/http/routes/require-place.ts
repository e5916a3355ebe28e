import { AppError } from '@tollgate/errors';
import { fromCursor, type ListPlace } from '../../domain/reports/list-cursor.js';

/** Returns the place that a client's `cursor` names. @throws AppError VALIDATION_ERROR */
export function requirePlace(cursor: string): ListPlace {
  const place = fromCursor(cursor);
  if (place) return place;
  const message = 'is not a next_cursor of this list';
  throw new AppError('VALIDATION_ERROR', `cursor: ${message}`, { fields: [{ field: 'cursor', message }] });
}
