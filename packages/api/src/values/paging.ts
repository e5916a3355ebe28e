import { z } from 'zod';

/** A page with an offset costs as much as the rows that it skips; use an export for more rows. */
const OFFSET_MAX = 1_000_000;
const DIGITS = /^(?:0|[1-9][0-9]*)$/;

/**
 * A whole number in a query string: decimal digits only. `0x5`, `1e1`, `+5`, ` 5` and `05` are rejected, because other
 * readers of the same URL take them for other numbers.
 */
export function queryInteger(min: number, max: number) {
  const integer = z.number('must be a whole number in decimal digits').int().min(min).max(max);
  return z.preprocess((text) => (typeof text === 'string' && DIGITS.test(text) ? Number(text) : text), integer);
}

/**
 * Query of a paged list: `limit` and `offset`. Values that are out of range or not whole numbers are rejected, not
 * clamped.
 */
export function pageQuery(limitDefault: number, limitMax: number) {
  return z.object({
    limit: queryInteger(1, limitMax).default(limitDefault),
    offset: queryInteger(0, OFFSET_MAX).default(0),
  });
}

/** Query of a list that continues after a row instead of an offset: pages cost the same, however far the list is read. */
export function cursorQuery(limitDefault: number, limitMax: number) {
  return z.object({
    limit: queryInteger(1, limitMax).default(limitDefault),
    cursor: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,200}$/, 'is not a next_cursor of this list')
      .optional(),
  });
}

/** A boolean in a query string: `true`, `false`, `1` or `0`. */
export const queryBoolean = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1');

/** The next offset as a decimal string; left out on the last page. */
export function nextCursor(offset: number, count: number, hasMore: boolean): { next_cursor?: string } {
  return hasMore ? { next_cursor: String(offset + count) } : {};
}
