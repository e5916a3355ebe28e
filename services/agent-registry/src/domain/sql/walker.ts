import type { Findings } from './findings.js';
import type { Scope } from './scope.js';

/** What the parts of the walk call each other by: FROM holds queries, queries hold FROM. */
export interface Walker {
  findings: Findings;
  /** Walks expressions and what holds them. */
  expressions(value: unknown, scope: Scope): void;
  /** A query inside of another one. */
  subquery(query: unknown, scope: Scope): void;
}
