import { AppError } from '@tollgate/errors';

/** One answer for what never existed, was deleted, has expired, or belongs to somebody else. */
export function notFound(
  what: 'agent' | 'agent revision' | 'state handle' | 'session' | 'customer' | 'SQL profile',
): AppError {
  return new AppError('NOT_FOUND', `${what} not found`);
}
