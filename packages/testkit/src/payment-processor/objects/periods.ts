/**
 * Returns the end of the period that starts at `start`, on the day of the month of `anchor` or the last day of a shorter
 * month. Seconds since 1970.
 */
export function periodEnd(start: number, interval: 'month' | 'year', anchor = start): number {
  const from = new Date(anchor * 1_000);
  const at = new Date(start * 1_000);
  const passed = (at.getUTCFullYear() - from.getUTCFullYear()) * 12 + at.getUTCMonth() - from.getUTCMonth();
  const day = from.getUTCDate();
  from.setUTCDate(1);
  from.setUTCMonth(from.getUTCMonth() + passed + (interval === 'year' ? 12 : 1));
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 0)).getUTCDate();
  from.setUTCDate(Math.min(day, lastDay));
  return Math.floor(from.getTime() / 1_000);
}
