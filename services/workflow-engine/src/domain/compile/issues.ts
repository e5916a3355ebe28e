import type { SpecIssue } from '@tollgate/errors';
import { z } from 'zod';
import { toPointer } from '../values/json-pointer.js';
import { safeParse } from '../values/safe-parse.js';

/** The most issues in one answer. */
const ISSUES_MAX = 200;

export type IssueCode =
  | 'REQUIRED'
  | 'INVALID_VALUE'
  | 'UNSUPPORTED_NODE_TYPE'
  | 'UNSUPPORTED_FIELD'
  | 'UNKNOWN_NODE_TYPE'
  | 'UNKNOWN_NODE'
  | 'UNKNOWN_INPUT'
  | 'UNKNOWN_AGENT'
  | 'UNKNOWN_FRAGMENT'
  | 'DUPLICATE_NODE'
  | 'DUPLICATE_OUTPUT'
  | 'DUPLICATE_INPUT'
  | 'CYCLE'
  | 'BINDING_TARGET'
  | 'LIMIT_EXCEEDED';

export interface FoundIssue extends SpecIssue {
  code: IssueCode;
}

export type Path = readonly PropertyKey[];

/** A value with its path in the spec. */
export interface Placed<T> {
  value: T;
  path: Path;
}

/** Collects all issues of a spec, so that its author sees them at once. */
export class Issues {
  readonly #found: FoundIssue[] = [];

  add(code: IssueCode, path: Path, message: string): void {
    if (this.#found.length < ISSUES_MAX) this.#found.push({ code, path: toPointer(path), message });
  }

  /** Adds a schema's issues, below `path`. */
  addSchemaIssues(issues: readonly z.core.$ZodIssue[], path: Path): void {
    for (const issue of issues) this.add(toCode(issue), [...path, ...issue.path], issue.message);
  }

  /** Returns the parsed value, or undefined after it has added the issues. */
  parse<S extends z.ZodType>(schema: S, value: unknown, path: Path): z.output<S> | undefined {
    const result = safeParse(schema, value);
    if (result.success) return result.data;
    this.addSchemaIssues(result.error.issues, path);
    return undefined;
  }

  /** Returns the valid entries of an array with their paths, and adds the issues of the others. */
  parseEach<S extends z.ZodType>(schema: S, value: unknown, path: Path, max: number): Placed<z.output<S>>[] {
    const entries = this.parse(z.array(z.unknown()).max(max).default([]), value, path) ?? [];
    return entries.flatMap((entry, index) => {
      const at = [...path, index];
      const parsed = this.parse(schema, entry, at);
      return parsed === undefined ? [] : [{ value: parsed, path: at }];
    });
  }

  get found(): readonly FoundIssue[] {
    return this.#found;
  }
}

function toCode(issue: z.core.$ZodIssue): IssueCode {
  if (issue.code === 'too_big') return 'LIMIT_EXCEEDED';
  const isAbsent = issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
  return isAbsent ? 'REQUIRED' : 'INVALID_VALUE';
}
