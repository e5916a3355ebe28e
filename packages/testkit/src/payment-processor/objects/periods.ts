/** The next end of a period, the day of the month kept as the processor keeps it. Seconds since 1970. */
export function periodEnd(startSeconds: number, interval: 'month' | 'year'): number {
  const date = new Date(startSeconds * 1_000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + (interval === 'year' ? 12 : 1));
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return Math.floor(date.getTime() / 1_000);
}
