const MICROCENTS_IN_UNIT = 100_000_000;

const formats = new Map<string, Intl.NumberFormat>();

/** Smaller amounts are rounded to significant digits; larger ones to cents. */
const TINY_MAX = 0.09995;

/** Formats microcents: `$12.50`, `$0.0149`, `$0.000123`. Amounts below ten cents keep three significant digits. */
export function formatMoney(microcents: number, currency = 'USD'): string {
  const amount = microcents / MICROCENTS_IN_UNIT;
  const isTiny = amount !== 0 && Math.abs(amount) < TINY_MAX;
  return numberFormat(currency.toUpperCase(), isTiny).format(amount);
}

/** Formats microcents with all their decimals, and at least two: amounts in a column add up as shown. */
export function formatExactMoney(microcents: number, currency = 'USD'): string {
  const digits = String(Math.abs(microcents)).padStart(9, '0');
  const decimals = digits.slice(-8).replace(/0{1,6}$/, '');
  const whole = new Intl.NumberFormat('en-US', { style: 'currency', currency, maximumFractionDigits: 0 });
  return `${microcents < 0 ? '-' : ''}${whole.format(Number(digits.slice(0, -8)))}.${decimals}`;
}

/** Formats cents; fractions of them as `formatMoney` does. */
export function formatCents(cents: number, currency = 'USD'): string {
  return formatMoney(cents * (MICROCENTS_IN_UNIT / 100), currency);
}

/** Reads an amount that a person typed, in units of the currency, as cents. Undefined if it is not one. */
export function readCents(text: string): number | undefined {
  if (!/^\d{1,9}([.,]\d{1,2})?$/.test(text.trim())) return undefined;
  return Math.round(Number(text.trim().replace(',', '.')) * 100);
}

function numberFormat(currency: string, isTiny: boolean): Intl.NumberFormat {
  const key = `${currency} ${isTiny}`;
  let format = formats.get(key);
  if (!format) {
    const digits = isTiny ? { maximumSignificantDigits: 3 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    format = new Intl.NumberFormat('en-US', { style: 'currency', currency, ...digits });
    formats.set(key, format);
  }
  return format;
}
