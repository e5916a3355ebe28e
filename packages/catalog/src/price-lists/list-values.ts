/** Parsed JSON of unknown form. */
export type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A fraction of a cent that comes from binary numbers, not from the price. */
const ROUNDING = 1e-6;

/** Dollars per unit as whole cents per million units, rounded up. Undefined for anything but a price. */
export function perMillion(dollarsPerUnit: unknown): number | undefined {
  return toCents(dollarsPerUnit, 1e6);
}

/** Dollars per unit as whole cents per thousand units, rounded up. */
export function perThousand(dollarsPerUnit: unknown): number | undefined {
  return toCents(dollarsPerUnit, 1e3);
}

/** Dollars of `units` as whole cents, rounded up. Undefined for anything but a price. */
export function toCents(dollars: unknown, units = 1): number | undefined {
  if (typeof dollars !== 'number' || !Number.isFinite(dollars) || dollars < 0) return undefined;
  const cents = dollars * units * 100;
  return Math.max(0, Math.ceil(cents - ROUNDING));
}

export interface PriceCents {
  input: number | undefined;
  output: number | undefined;
  cacheRead?: number | undefined;
  cacheWrite?: number | undefined;
}

/** Cents per million as fields of a record; undefined without a price of input and output. */
export function toPriceFields({ input, output, cacheRead, cacheWrite }: PriceCents) {
  if (input === undefined || output === undefined) return undefined;
  return withoutUndefined({
    input_cost_per_million_cents: input,
    output_cost_per_million_cents: output,
    cache_read_cost_per_million_cents: cacheRead,
    cache_write_cost_per_million_cents: cacheWrite,
  }) as { input_cost_per_million_cents: number; output_cost_per_million_cents: number };
}

export function withoutUndefined(entry: Json): Json {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}
