import type { MediaAdmission } from '@tollgate/contracts/inference/v1/compat_pb.js';
import { asAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { type MediaPlan, planMedia } from './media-plan.js';

const RELEASE_WAIT_MS = 1_000;

/** The plan of a media request; a refusal has released its hold before it is thrown. @throws AppError */
export async function planOrRelease(
  ctx: Context,
  admission: MediaAdmission | undefined,
  kind: Parameters<typeof planMedia>[2],
  call: Call,
): Promise<MediaPlan> {
  try {
    return planMedia(ctx, admission, kind);
  } catch (thrown) {
    const { status, code: errorCode } = asAppError(thrown);
    const facts = { modelId: admission?.modelId ?? '', status, success: false, errorCode, stopReason: 'error' };
    const settlement = { holdId: admission?.holdId ?? '', usage: {}, facts };
    if (admission) await ctx.settlements.settle(settlement, call, RELEASE_WAIT_MS).catch(() => undefined);
    throw thrown;
  }
}
