import type { Findings } from './findings.js';
import type { Scope } from './scope.js';

/** Breaks the cycle between the walk's parts: FROM contains queries, and queries contain FROM. */
export interface Walker {
  findings: Findings;
  /** Walks expressions and their containers. */
  expressions(value: unknown, scope: Scope): void;
  /** Walks a query inside another one. */
  subquery(query: unknown, scope: Scope): void;
}
