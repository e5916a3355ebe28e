const whole = new Intl.NumberFormat('en-US');
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

export function formatCount(count: number): string {
  return Math.abs(count) < 100_000 ? whole.format(count) : compact.format(count);
}

export function formatPercent(part: number, total: number): string {
  const percent = ((100 * part) / total).toFixed(1);
  return total === 0 ? '–' : `${percent === '-0.0' ? '0.0' : percent} %`;
}

/** `1 request`, `2 requests`. */
export function formatAmount(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
