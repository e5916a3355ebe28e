/** Codes of PostgreSQL's errors (SQLSTATE) that callers handle. */
export const FOREIGN_KEY_VIOLATION = '23503';
export const UNIQUE_VIOLATION = '23505';
export const UNDEFINED_TABLE = '42P01';
/** A lock was not free within `lock_timeout`. */
export const LOCK_NOT_AVAILABLE = '55P03';
/** The statement took longer than `statement_timeout`, or its call was canceled. */
export const QUERY_CANCELED = '57014';

/** Whether an error of a query has this code. */
export function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
