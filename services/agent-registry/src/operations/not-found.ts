import { AppError } from '@tollgate/errors';

type Resource = 'agent' | 'agent revision' | 'state handle' | 'session' | 'customer' | 'SQL profile';

/** The same error for a resource that never existed, was deleted, has expired or belongs to another tenant. */
export function notFound(resource: Resource): AppError {
  return new AppError('NOT_FOUND', `${resource} not found`);
}

/** Returns a row that a store found. @throws AppError NOT_FOUND when the store found none */
export function requireFound<T>(row: T | undefined, resource: Resource): T {
  if (row === undefined) throw notFound(resource);
  return row;
}
