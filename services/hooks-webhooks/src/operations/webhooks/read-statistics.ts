import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { GetWebhookStatisticsRequest } from '@tollgate/contracts/hooks/v1/hooks_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import {
  readStatistics,
  type StatisticsInterval,
  type StatisticsRange,
  type StatisticsRow,
} from '../../store/statistics.js';
import { requireWebhook } from './webhooks.js';

const HOUR_MS = 3_600_000;
/** Bounds the intervals of an answer. */
const INTERVALS_MAX = 200;
const LENGTH_MS: Record<StatisticsInterval, number> = { hour: HOUR_MS, day: 24 * HOUR_MS };
/** Bounds the rows that one answer reads. */
const DELIVERIES_MAX = 1_000_000;

/** Counts a webhook's deliveries by status, with their latency. @throws AppError NOT_FOUND, INVALID_INPUT */
export async function readWebhookStatistics(
  ctx: Pick<Context, 'pool'>,
  projectId: string,
  req: Pick<GetWebhookStatisticsRequest, 'webhookId' | 'from' | 'to' | 'interval'>,
  deliveriesMax = DELIVERIES_MAX,
): Promise<StatisticsRow[]> {
  const { id } = await requireWebhook(ctx, projectId, req.webhookId);
  const rows = await readStatistics(ctx.pool, id, toRange(req), deliveriesMax);
  if (rows) return rows;
  const message = `the range has more than ${deliveriesMax} deliveries; choose a shorter one`;
  throw new AppError('INVALID_INPUT', message);
}

function toRange({
  from: start,
  to: end,
  interval,
}: Pick<GetWebhookStatisticsRequest, 'from' | 'to' | 'interval'>): StatisticsRange {
  if (interval !== 'hour' && interval !== 'day')
    throw new AppError('INVALID_INPUT', 'the interval must be hour or day');
  if (!start || !end) throw new AppError('INVALID_INPUT', 'a range needs from and to');
  const [from, to] = [timestampDate(start), timestampDate(end)];
  if (from >= to) throw new AppError('INVALID_INPUT', 'from must be before to');
  const max = INTERVALS_MAX * LENGTH_MS[interval];
  if (to.getTime() - from.getTime() > max) {
    const days = Math.floor(max / LENGTH_MS.day);
    throw new AppError('INVALID_INPUT', `a range by ${interval} has at most ${days} days; choose a shorter one`);
  }
  return { from, to, interval };
}
