const FREE_FAILURES = 10;
const LOCK_FIRST_MS = 60_000;
const LOCK_MAX_MS = 60 * 60_000;

/**
 * How long a password is not even looked at after this many wrong ones in a row: nothing for the first nine, then a
 * minute, doubling with each further one up to an hour.
 */
export function lockoutMs(failures: number): number {
  if (failures < FREE_FAILURES) return 0;
  return Math.min(LOCK_FIRST_MS * 2 ** Math.min(failures - FREE_FAILURES, 10), LOCK_MAX_MS);
}
