import type { RecordProgressRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError } from '@tollgate/errors';
import { isUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../context.js';
import { toUsedUnits } from './settle.js';

/** Postpones a hold's expiry and stores its progress, which the verdict charges if the hold expires. Returns whether it is open. */
export async function recordProgress(ctx: Pick<Context, 'progress'>, req: RecordProgressRequest): Promise<boolean> {
  const { inputTokens, outputTokens } = toUsedUnits(req.usage);
  if (inputTokens < 0n || outputTokens < 0n) throw new AppError('INVALID_INPUT', 'usage must not be negative');
  if (!isUuid(req.holdId)) throw new AppError('INVALID_INPUT', 'the hold id must be a UUID');
  return ctx.progress.record({ holdId: req.holdId, inputTokens, outputTokens });
}
