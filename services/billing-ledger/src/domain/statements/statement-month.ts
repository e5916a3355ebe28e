/** Returns the month after one, both as YYYY-MM. */
export function nextMonth(month: string): string {
  return addMonths(month, 1);
}

/** Returns the month before one, both as YYYY-MM. */
export function previousMonth(month: string): string {
  return addMonths(month, -1);
}

function addMonths(month: string, count: number): string {
  const months = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + count;
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}`;
}
