/** Microcents in one cent. */
export const MICROCENTS_PER_CENT = 1_000_000n;

/** Thrown for an amount that is malformed or cannot be represented in the requested form: a defect of the caller. */
export class AmountError extends RangeError {
  override readonly name = 'AmountError';
}

/** Whole cents as microcents. @throws AmountError when `cents` is a fraction or not safely representable. */
export function centsToMicrocents(cents: number | bigint): bigint {
  if (typeof cents === 'number' && !Number.isSafeInteger(cents)) {
    throw new AmountError(`cents must be a safe integer, got ${cents}`);
  }
  return BigInt(cents) * MICROCENTS_PER_CENT;
}

/** Whole cents contained in the amount, rounded down (towards negative infinity), so never more than the amount. */
export function microcentsToCentsFloor(microcents: bigint): bigint {
  const quotient = microcents / MICROCENTS_PER_CENT;
  return microcents < 0n && microcents % MICROCENTS_PER_CENT !== 0n ? quotient - 1n : quotient;
}

/** Whole cents that cover the amount, rounded up (towards positive infinity), so never less than the amount. */
export function microcentsToCentsCeil(microcents: bigint): bigint {
  return -microcentsToCentsFloor(-microcents);
}

/** The nearest whole number of cents; half a cent is rounded up. */
export function microcentsToCentsRounded(microcents: bigint): bigint {
  return microcentsToCentsFloor(microcents + MICROCENTS_PER_CENT / 2n);
}

/**
 * The amount as cents with its fraction, for reports that show cents (`usd_cents`). Exact as long as the amount has at
 * most 15 significant digits, which every single request has; the nearest double otherwise.
 */
export function microcentsToFractionalCents(microcents: bigint): number {
  return Number(toDecimalString(microcents, 6));
}

/**
 * An integer as a JSON number.
 *
 * @throws AmountError above 2^53-1, where a JSON reader would silently read a different amount.
 */
export function toJsonNumber(amount: bigint): number {
  const value = Number(amount);
  if (!Number.isSafeInteger(value)) throw new AmountError(`${amount} does not fit a JSON number`);
  return value;
}

/**
 * Returns a figure of a report as a JSON number, saturated at ±(2^53-1): a large sum must not fail a report. For
 * amounts that are paid, use {@link toJsonNumber}.
 */
export function toReportNumber(figure: bigint): number {
  const max = BigInt(Number.MAX_SAFE_INTEGER);
  if (figure > max) return Number.MAX_SAFE_INTEGER;
  return figure < -max ? -Number.MAX_SAFE_INTEGER : Number(figure);
}

/** The integer with a decimal point `decimals` digits from the right, without trailing zeros: exact, no float involved. */
export function toDecimalString(amount: bigint, decimals: number): string {
  const { sign, whole, fraction } = splitDecimal(amount, decimals);
  const trimmed = fraction.replace(/0+$/, '');
  return trimmed === '' ? `${sign}${whole}` : `${sign}${whole}.${trimmed}`;
}

/** Sign, digits before and digits after the decimal point. */
export function splitDecimal(amount: bigint, decimals: number): { sign: '' | '-'; whole: string; fraction: string } {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  return {
    sign: amount < 0n ? '-' : '',
    whole: digits.slice(0, digits.length - decimals),
    fraction: digits.slice(digits.length - decimals),
  };
}
