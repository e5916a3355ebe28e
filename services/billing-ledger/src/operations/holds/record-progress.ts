import type { RecordProgressRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import { recordProgress as storeProgress } from '../../store/holds/open-holds.js';
import { toUsedUnits } from './settle.js';

/** Postpones a hold's expiry and stores its progress, which the verdict charges if the hold expires. */
export async function recordProgress(
  ctx: Pick<Context, 'config' | 'pool'>,
  req: RecordProgressRequest,
): Promise<boolean> {
  const used = toUsedUnits(req.usage);
  if (used.inputTokens < 0n || used.outputTokens < 0n)
    throw new AppError('INVALID_INPUT', 'usage must not be negative');
  return storeProgress(ctx.pool, req.holdId, ctx.config.holdTtlMs, used.inputTokens, used.outputTokens);
}
