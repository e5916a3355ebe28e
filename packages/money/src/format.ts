import { AmountError, splitDecimal } from './amounts.js';

/**
 * An amount for people, in the major unit of its currency: `$12.34`, `-€0.00042`. At least the currency's usual number
 * of decimals, more when the amount is finer, never rounded. Amounts are in millionths of a hundredth of the major unit
 * for every currency, even those without hundredths.
 *
 * @param currency ISO 4217 code in either case.
 * @throws AmountError for text that is not a currency code.
 */
export function formatMicrocents(amount: bigint, currency: string): string {
  if (!/^[a-z]{3}$/i.test(currency)) throw new AmountError(`not a currency code: ${currency}`);
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() });
  const decimals = format.resolvedOptions().minimumFractionDigits ?? 2;
  const { sign, whole, fraction } = splitDecimal(amount, 8);
  const shown = fraction.replace(/0+$/, '').padEnd(decimals, '0');
  // Intl writes symbol and grouping of the whole part, which it takes as an exact bigint; the fraction is added here.
  const parts = format.formatToParts(BigInt(whole)).filter(({ type }) => type !== 'fraction' && type !== 'decimal');
  return `${sign}${parts.map(({ value }) => value).join('')}${shown === '' ? '' : `.${shown}`}`;
}
