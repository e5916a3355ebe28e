import type { Queryable } from '@tollgate/postgres';
import type { ReportRange } from '../../../domain/reports/report-range.js';
import type { RolledUp } from '../../../domain/reports/usage-spans.js';
import { DAY_MS, HOUR_MS } from '../../../domain/reports/usage-spans.js';

/**
 * Returns the days and hours of a range whose sums are equal to the project's rows, as the transaction sees them.
 *
 * @param since earlier rows may have been dropped by a replica that knows of no sums
 */
export async function readRolledUp(
  tx: Queryable,
  projectId: string,
  { from, to }: ReportRange,
  since: Date,
): Promise<RolledUp> {
  const values = [new Date(Math.max(from.getTime() - DAY_MS, since.getTime())), to];
  const rolledUp = await tx.query<{ span: 'hour' | 'day'; start: Date }>(
    `SELECT u.span, u.start FROM request_rollups u
      WHERE u.start >= $1 AND u.start < $2 AND (u.span = 'day' OR NOT EXISTS (
        SELECT FROM request_rollups d WHERE d.span = 'day' AND d.start = date_trunc('day', u.start, 'UTC')))`,
    values,
  );
  const marked = await tx.query<{ hour: Date }>(
    'SELECT DISTINCT hour FROM request_rollup_marks WHERE project_id = $3 AND hour >= $1 AND hour < $2',
    [...values, projectId],
  );
  const days = new Set<number>();
  const hours = new Set<number>();
  for (const { span, start } of rolledUp.rows) {
    const at = start.getTime();
    if (span === 'hour') hours.add(at);
    else {
      days.add(at);
      for (let hour = 0; hour < 24; hour++) hours.add(at + hour * HOUR_MS);
    }
  }
  for (const { hour } of marked.rows) {
    hours.delete(hour.getTime());
    days.delete(Math.floor(hour.getTime() / DAY_MS) * DAY_MS);
  }
  return { days, hours };
}
