import { AppError, type FieldError } from '@tollgate/errors';
import { z } from 'zod';
import { isCompatiblePath } from '../paths.js';
import type { Matched } from './exchange.js';
import type { RouteDoc } from './route-doc.js';

/** At most this many field errors are reported. */
const FIELDS_MAX = 50;

/** Schemas of the parts of a request. */
type Parts = Record<string, { schema: z.ZodType | undefined; value: unknown }>;

/**
 * Parses all parts of a request. A part without a schema yields undefined.
 *
 * @throws AppError VALIDATION_ERROR with every invalid field
 */
export function validateAll<P extends Parts>(parts: P): Record<keyof P, unknown> {
  const issues: z.core.$ZodIssue[] = [];
  const values = Object.entries(parts).map(([name, { schema, value }]) => {
    const result = schema && parse(schema, value);
    if (result) issues.push(...result.issues);
    return [name, result?.value];
  });
  if (issues.length > 0) throw validationError(issues);
  return Object.fromEntries(values) as Record<keyof P, unknown>;
}

/** @throws AppError VALIDATION_ERROR with every invalid field */
export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = parse(schema, value);
  if (result.issues.length > 0) throw validationError(result.issues);
  return result.value as z.output<S>;
}

/**
 * Works like `safeParse`, but reports only the first issues: a hostile value has hundreds of thousands, and writing a
 * message for each takes seconds.
 */
function parse(schema: z.ZodType, value: unknown): { value: unknown; issues: z.core.$ZodIssue[] } {
  const ctx = { async: false };
  try {
    const result = schema._zod.run({ value, issues: [] }, ctx) as z.core.ParsePayload;
    const first = result.issues.slice(0, FIELDS_MAX);
    return { value: result.value, issues: first.map((issue) => z.core.util.finalizeIssue(issue, ctx, z.config())) };
  } catch (error) {
    // The library joins lists of issues by calls with one argument per issue, which overflows the stack.
    if ((error as Error).name !== 'RangeError') throw error;
    throw new AppError('VALIDATION_ERROR', 'the request has too many errors to list');
  }
}

function validationError(issues: readonly z.core.$ZodIssue[]): AppError {
  const fields = issues.flatMap(specificIssues).slice(0, FIELDS_MAX).map(fieldError);
  const first = fields[0];
  const message = first === undefined || first.field === '' ? first?.message : `${first.field}: ${first.message}`;
  return new AppError('VALIDATION_ERROR', message ?? 'request validation failed', { fields });
}

/** Replaces the issue of a union by those of the variant that the value matches best. */
function specificIssues(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const depths = issue.errors.map(findDepth);
  const deepest = Math.max(0, ...depths);
  const nearest = issue.errors[depths.indexOf(deepest)];
  if (!nearest || deepest === 0) return [issue];
  const inWhole = nearest.slice(0, FIELDS_MAX).map((each) => ({ ...each, path: [...issue.path, ...each.path] }));
  return inWhole.flatMap(specificIssues);
}

/** Uses no spread: a hostile value has more issues than a call takes arguments. */
function findDepth(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((deepest, { path }) => Math.max(deepest, path.length), 0);
}

function fieldError({ code, path, message }: z.core.$ZodIssue): FieldError {
  return { field: fieldPath(path), message: (code === 'invalid_type' && describeType(message)) || message };
}

/** Says for some types what the library's message leaves to guess. */
function describeType(message: string): string | undefined {
  if (message.endsWith('received undefined')) return 'is required';
  // Texts of queries become numbers before they are checked.
  return message.endsWith('expected number, received NaN') ? 'must be a number' : undefined;
}

/** Formats a path as `input[0].role`. */
function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

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
