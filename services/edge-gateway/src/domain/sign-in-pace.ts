const FREE_FAILURES = 10;
const LOCK_FIRST_MS = 60_000;
const LOCK_MAX_MS = 60 * 60_000;
const PAUSE_FIRST_MS = 1_000;
const PAUSE_MAX_MS = 60_000;

/**
 * Returns how long one source is locked for an email after this many consecutive wrong passwords: not for the first
 * nine, then a minute, doubling with each further one up to an hour.
 */
export function lockoutMs(failures: number): number {
  return doubling(failures, LOCK_FIRST_MS, LOCK_MAX_MS);
}

/**
 * Returns how long all unknown sources together must wait after this many wrong passwords for an email: not for the
 * first nine, then a second, doubling up to a minute. Short, because it also delays the owner on a new device.
 */
export function pauseMs(failures: number): number {
  return doubling(failures, PAUSE_FIRST_MS, PAUSE_MAX_MS);
}

function doubling(failures: number, firstMs: number, maxMs: number): number {
  if (failures < FREE_FAILURES) return 0;
  return Math.min(firstMs * 2 ** Math.min(failures - FREE_FAILURES, 10), maxMs);
}
