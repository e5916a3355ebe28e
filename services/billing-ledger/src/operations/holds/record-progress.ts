import type { RecordProgressRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import { recordProgress as storeProgress } from '../../store/holds/open-holds.js';
import { usedUnits } from './settle.js';

/** Keeps a long request's hold alive and remembers how far it got: what a verdict on expiry would charge. */
export async function recordProgress(ctx: Context, req: RecordProgressRequest): Promise<boolean> {
  const used = usedUnits(req.usage);
  if (used.inputTokens < 0n || used.outputTokens < 0n)
    throw new AppError('INVALID_INPUT', 'usage must not be negative');
  return storeProgress(ctx.pool, req.holdId, ctx.config.holdTtlMs, used.inputTokens, used.outputTokens);
}
