import { AppError, type FieldError } from '@tollgate/errors';
import { z } from 'zod';

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
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}
