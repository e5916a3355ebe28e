import { AppError, type FieldError } from '@tollgate/errors';
import type { z } from 'zod';

/** More than this helps nobody to mend a request. */
const FIELDS_MAX = 50;

/** @throws AppError VALIDATION_ERROR with every field that does not fit */
export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fields = result.error.issues.flatMap(specificIssues).slice(0, FIELDS_MAX).map(fieldError);
  const first = fields[0];
  const message = first === undefined || first.field === '' ? first?.message : `${first.field}: ${first.message}`;
  throw new AppError('VALIDATION_ERROR', message ?? 'request validation failed', { fields });
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
