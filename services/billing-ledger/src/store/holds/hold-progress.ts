import type { Queryable } from '@tollgate/postgres';
import * as sql from '../gen/holds/hold-progress.js';

/** Postpones an open hold's expiry and stores its progress, which never decreases. Returns false if the hold has ended. */
export async function recordProgress(db: Queryable, report: ProgressReport, ttlMs: number): Promise<boolean> {
  return (await sql.recordProgress(db, { ...report, ttlMs })) === 1;
}

/** The usage of running work under a hold. */
export interface ProgressReport {
  holdId: string;
  inputTokens: bigint;
  outputTokens: bigint;
}

/** The outcome of the reports of one statement. */
export interface RecordedProgress {
  /** Holds that it changed. */
  recorded: ReadonlySet<string>;
  /** Open holds that another transaction has locked. All others have ended, or never existed. */
  locked: ReadonlySet<string>;
}

/**
 * Does what `recordProgress` does for many holds in one statement, each of them once, except for those that another
 * transaction has locked: it waits for none.
 */
export async function recordProgressTogether(
  db: Queryable,
  reports: readonly ProgressReport[],
  ttlMs: number,
): Promise<RecordedProgress> {
  const rows = await sql.recordProgressTogether(db, {
    reports: reports.map(({ holdId, ...usage }) => ({ requestId: holdId, ...usage })),
    ttlMs,
  });
  const recorded = new Set<string>();
  const locked = new Set<string>();
  for (const { request_id: holdId, is_recorded: isRecorded } of rows) (isRecorded ? recorded : locked).add(holdId);
  return { recorded, locked };
}
