const DOUBLINGS_MAX = 30;

/**
 * Returns the pause before the next attempt, in milliseconds: between half and all of a ceiling that starts at `minMs` and
 * doubles with every failure up to `maxMs`. The random part keeps many processes from retrying at the same moment.
 *
 * @param failures attempts that failed in a row, from 1
 */
export function backoffMs(failures: number, { minMs, maxMs }: { minMs: number; maxMs: number }): number {
  const ceiling = Math.min(maxMs, minMs * 2 ** Math.min(Math.max(failures, 1) - 1, DOUBLINGS_MAX));
  return ceiling / 2 + (Math.random() * ceiling) / 2;
}
