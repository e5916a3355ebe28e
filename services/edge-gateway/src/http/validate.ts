import { AppError, type FieldError } from '@tollgate/errors';
import type { z } from 'zod';

/** More than this helps nobody to mend a request. */
const FIELDS_MAX = 50;

/** Schemas of the parts of a request. */
type Parts = Record<string, { schema: z.ZodType | undefined; value: unknown }>;

/** Parses all parts of a request; one without a schema gives undefined. @throws AppError VALIDATION_ERROR with every field that does not fit */
export function validateAll<P extends Parts>(parts: P): Record<keyof P, unknown> {
  const issues: z.core.$ZodIssue[] = [];
  const values = Object.entries(parts).map(([name, { schema, value }]) => {
    const result = schema?.safeParse(value);
    if (result?.error) issues.push(...result.error.issues);
    return [name, result?.data];
  });
  if (issues.length > 0) throw validationError(issues);
  return Object.fromEntries(values) as Record<keyof P, unknown>;
}

/** @throws AppError VALIDATION_ERROR with every field that does not fit */
export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  return validateAll({ value: { schema, value } }).value as z.output<S>;
}

function validationError(issues: readonly z.core.$ZodIssue[]): AppError {
  const fields = issues.flatMap(specificIssues).slice(0, FIELDS_MAX).map(fieldError);
  const first = fields[0];
  const message = first === undefined || first.field === '' ? first?.message : `${first.field}: ${first.message}`;
  return new AppError('VALIDATION_ERROR', message ?? 'request validation failed', { fields });
}

/** Of a value that fits none of several forms: what is wrong in the form that it comes nearest to. */
function specificIssues(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const depths = issue.errors.map((branch) => Math.max(...branch.map(({ path }) => path.length)));
  const nearest = issue.errors[depths.indexOf(Math.max(0, ...depths))];
  if (!nearest || Math.max(...depths) === 0) return [issue];
  return nearest.map((each) => ({ ...each, path: [...issue.path, ...each.path] })).flatMap(specificIssues);
}

function fieldError({ code, path, message }: z.core.$ZodIssue): FieldError {
  const isMissing = code === 'invalid_type' && message.endsWith('received undefined');
  return { field: fieldPath(path), message: isMissing ? 'is required' : message };
}

/** `input[0].role` */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}
