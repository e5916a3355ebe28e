import { AppError } from '@tollgate/errors';

const DAY_MS = 86_400_000;
const DEFAULT_MS = 7 * DAY_MS;
/** Clocks of other processes may be ahead. */
const SKEW_MS = 60_000;

/** `from` inclusive, `to` exclusive. */
export interface ReportRange {
  from: Date;
  to: Date;
}

/**
 * Returns the range of a report: by default the seven days before `to`, or before now.
 *
 * @throws AppError VALIDATION_ERROR for an empty range, or one longer than `daysMax`
 */
export function toReportRange(
  query: { from?: string | undefined; to?: string | undefined },
  now: Date,
  daysMax: number,
): ReportRange {
  const to = new Date(query.to ?? now.getTime() + SKEW_MS);
  const from = new Date(query.from ?? Math.max(0, to.getTime() - DEFAULT_MS));
  if (from >= to) throw invalid('from', 'must be before to');
  if (to.getTime() - from.getTime() > daysMax * DAY_MS) {
    throw invalid('from', `must be at most ${daysMax} days before to`);
  }
  return { from, to };
}

function invalid(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', `${field}: ${message}`, { fields: [{ field, message }] });
}
