import { createHash } from 'node:crypto';
import { expect } from '@jest/globals';
import { explainStatement, type Pool, type Queryable } from '@tollgate/postgres';

/** A statement with what it may read of tables that have 20,000 rows. */
export interface PlanCase {
  run: (db: Queryable) => Promise<unknown>;
  /** The indexes that it may use. It uses one of them. */
  indexes: readonly string[];
  rowsMax: number;
}

/** Expects that a statement reads no index but these, no table from beginning to end, and no more rows than the bound. */
export async function expectPlan(pool: Pool, { run, indexes, rowsMax }: PlanCase): Promise<void> {
  const { plan, sequentialScans, rowsRead, indexes: used } = await explainStatement(pool, run);
  const others = used.filter((index) => !indexes.includes(index));
  const excess = Math.max(0, rowsRead - rowsMax);
  // The plan makes a failure readable.
  expect({ usesIndex: used.length > 0, others, sequentialScans, excess, plan }).toEqual({
    usesIndex: indexes.length > 0,
    others: [],
    sequentialScans: [],
    excess: 0,
    plan,
  });
}

/** Returns the id that SQL makes with `md5(text)::uuid`. */
export function toId(text: string): string {
  const hex = createHash('md5').update(text).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
