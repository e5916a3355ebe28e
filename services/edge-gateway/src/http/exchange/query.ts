import { AppError } from '@tollgate/errors';
import { z } from 'zod';
import { isCompatiblePath } from '../answer/vendor.js';
import type { Matched } from './exchange.js';
import type { RouteDoc } from './route-doc.js';

/** At most this many names are reported. */
const NAMED_MAX = 50;

const knownNames = new WeakMap<z.ZodType, ReadonlySet<string>>();
const NO_NAMES: ReadonlySet<string> = new Set();

type QueryRoute = Pick<RouteDoc, 'path' | 'query' | 'ignoresUnknownQuery'>;

/**
 * Refuses query parameters that the endpoint does not know: a misspelled filter must not widen the answer. The vendors'
 * client libraries add parameters of their own, so the compatible endpoints ignore them.
 *
 * @throws AppError VALIDATION_ERROR naming them
 */
export function refuseUnknownQuery(route: QueryRoute, query: Matched['query']): void {
  const names = Object.keys(query);
  if (names.length === 0 || !refusesUnknownQuery(route)) return;
  const known = listNames(route.query);
  const unknown = names.filter((name) => !known.has(name)).slice(0, NAMED_MAX);
  if (unknown.length === 0) return;
  const message = `unknown query parameter${unknown.length > 1 ? 's' : ''}: ${unknown.join(', ')}`;
  const fields = unknown.map((field) => ({ field, message: 'unknown query parameter' }));
  throw new AppError('VALIDATION_ERROR', message, { fields });
}

/**
 * Refuses a key in the URL: URLs are written to logs and histories. Google's documentation shows it; none of its libraries sends it.
 *
 * @throws AppError UNAUTHORIZED
 */
export function refuseKeyInUrl({ vendorKeyHeader }: Pick<RouteDoc, 'vendorKeyHeader'>, query: Matched['query']): void {
  if (vendorKeyHeader !== 'x-goog-api-key' || query.key === undefined) return;
  throw new AppError(
    'UNAUTHORIZED',
    'send the key in the header x-goog-api-key, not in the URL; revoke a key that was sent so',
  );
}

/** Refuses NUL in the address: no database column takes this character. @throws AppError INVALID_INPUT */
export function refuseNul({ params, query }: Matched): void {
  if (!hasNul(params) && !hasNul(query)) return;
  throw new AppError('INVALID_INPUT', 'the address must not contain NUL');
}

function hasNul(values: Readonly<Record<string, unknown>>): boolean {
  // String() joins the values of a repeated name.
  for (const name in values) if (name.includes('\0') || String(values[name]).includes('\0')) return true;
  return false;
}

export function refusesUnknownQuery({ path, ignoresUnknownQuery = false }: QueryRoute): boolean {
  return !isCompatiblePath(path) && !ignoresUnknownQuery;
}

function listNames(query: z.ZodType | undefined): ReadonlySet<string> {
  if (!query) return NO_NAMES;
  let names = knownNames.get(query);
  if (!names) {
    const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
    names = new Set(Object.keys(properties));
    knownNames.set(query, names);
  }
  return names;
}
