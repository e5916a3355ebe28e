const MICROCENTS_IN_CENT = 1_000_000;

const formats = new Map<string, Intl.NumberFormat>();

/**
 * Formats microcents: `$12.50`, `$0.0149`, `$0.000123`. A cent is the smallest unit of the currency: a hundredth of a dollar, a
 * yen. Amounts below ten cents keep three significant digits.
 */
export function formatMoney(microcents: number, currency = 'USD'): string {
  const isTiny = microcents !== 0 && Math.abs(microcents) < 9.995 * MICROCENTS_IN_CENT;
  return numberFormat(currency, isTiny).format(microcents / MICROCENTS_IN_CENT / toUnit(currency));
}

/** Decimals of a column, by the largest amount in it in units of the currency. */
const COLUMN_DECIMALS = [
  [1, 2],
  [0.01, 4],
  [0, 6],
] as const;

/**
 * Returns a format for the amounts of a column, in microcents: all have the same decimals, enough for the largest one. A
 * smaller amount than they can show is `<$0.0001`.
 */
export function moneyColumn(microcents: readonly number[], currency = 'USD'): (microcents: number) => string {
  const unit = MICROCENTS_IN_CENT * toUnit(currency);
  const largest = Math.max(0, ...microcents.map(Math.abs)) / unit;
  const least = readDecimals(currency);
  const decimals =
    largest === 0 ? least : Math.max(least, COLUMN_DECIMALS.find(([from]) => largest >= from)?.[1] ?? least);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency, ...digits });
  const smallest = 10 ** -decimals;
  return (amount) => {
    const isBelow = amount > 0 && amount / unit < smallest / 2;
    return isBelow ? `<${format.format(smallest)}` : format.format(amount / unit);
  };
}

/** Formats microcents with all their decimals, and at least the currency's: amounts in a column add up as shown. */
export function formatExactMoney(microcents: number, currency = 'USD'): string {
  const places = readDecimals(currency) + 6;
  const digits = String(Math.abs(microcents)).padStart(places + 1, '0');
  const decimals = digits.slice(-places).replace(/0{1,6}$/, '');
  const whole = new Intl.NumberFormat('en-US', { style: 'currency', currency, maximumFractionDigits: 0 });
  const amount = whole.format(Number(digits.slice(0, -places)));
  return `${microcents < 0 ? '-' : ''}${amount}${decimals && `.${decimals}`}`;
}

/** Formats cents; fractions of them as `formatMoney` does. */
export function formatCents(cents: number, currency = 'USD'): string {
  return formatMoney(cents * MICROCENTS_IN_CENT, currency);
}

/** Reads an amount that a person typed, in units of the currency, as cents. Undefined if it is not one. */
export function readCents(text: string, currency = 'USD'): number | undefined {
  const [, whole, decimals = ''] = /^(\d{1,9})(?:[.,](\d{1,4}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || decimals.length > readDecimals(currency)) return undefined;
  return Number(whole + decimals.padEnd(readDecimals(currency), '0'));
}

/** Says in units of the currency what the service says of a number of cents. */
export function describeAmountFault(message: string, currency = 'USD'): string {
  const [, min, max] = /^must be (\d+) to (\d+)$/.exec(message) ?? [];
  if (min === undefined) return message;
  return `Enter ${formatCents(Number(min), currency)} to ${formatCents(Number(max), currency)}.`;
}

/** Writes cents as `readCents` reads them: without the currency. */
export function toAmount(cents: number, currency = 'USD'): string {
  return (cents / toUnit(currency)).toFixed(readDecimals(currency));
}

/** A copy of the table of @tollgate/money, from which the console takes only types. Browsers show other decimals for some. */
const WITHOUT_DECIMALS = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UYI VND VUV XAF XOF XPF'.split(' '));
const WITH_THREE = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));
const WITH_FOUR = new Set('CLF UYW'.split(' '));

function readDecimals(currency: string): number {
  const code = currency.toUpperCase();
  if (WITHOUT_DECIMALS.has(code)) return 0;
  if (WITH_THREE.has(code)) return 3;
  return WITH_FOUR.has(code) ? 4 : 2;
}

function toUnit(currency: string): number {
  return 10 ** readDecimals(currency);
}

function numberFormat(currency: string, isTiny: boolean): Intl.NumberFormat {
  const key = `${currency} ${isTiny}`;
  let format = formats.get(key);
  if (!format) {
    const places = readDecimals(currency);
    const digits = isTiny
      ? { maximumSignificantDigits: 3 }
      : { minimumFractionDigits: places, maximumFractionDigits: places };
    format = new Intl.NumberFormat('en-US', { style: 'currency', currency, ...digits });
    formats.set(key, format);
  }
  return format;
}
