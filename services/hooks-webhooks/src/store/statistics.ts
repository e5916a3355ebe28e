import type { Queryable } from '@tollgate/postgres';
import { type ReadDeliveryStatisticsRow, readDeliveryStatistics } from './gen/statistics.js';

export type StatisticsRow = ReadDeliveryStatisticsRow;

export type StatisticsInterval = 'hour' | 'day';

export interface StatisticsRange {
  from: Date;
  to: Date;
  interval: StatisticsInterval;
}

/**
 * Counts a webhook's deliveries that were queued in a range, by interval and in total; the total is the last row. Reads at
 * most `rowsMax` deliveries; undefined if there are more.
 */
export async function readStatistics(
  db: Queryable,
  webhookId: string,
  { from, to, interval }: StatisticsRange,
  rowsMax: number,
): Promise<StatisticsRow[] | undefined> {
  const rows = await readDeliveryStatistics(db, { webhookId, from, to, interval, rowsMax });
  return Number(rows.at(-1)?.read ?? 0) > rowsMax ? undefined : rows;
}
