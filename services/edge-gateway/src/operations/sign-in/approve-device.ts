import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import { normalUserCode } from '../../domain/device-code.js';
import { decideDevice, findPendingDevice } from '../../store/device-sign-ins.js';

/**
 * Approves or denies a pending device sign-in of the principal's project.
 *
 * @throws AppError NOT_FOUND for a code that is unknown, expired, already decided, or of another project
 */
export async function decideOnDevice(
  ctx: Pick<Context, 'pool'>,
  principal: Principal,
  typedCode: string,
  decision: { status: 'approved'; customerId: string } | { status: 'denied' },
): Promise<void> {
  const device = await findPendingDevice(ctx.pool, normalUserCode(typedCode));
  const isOurs = device?.project_id === principal.projectId;
  if (!device || !isOurs || !(await decideDevice(ctx.pool, device.device_code_hash, decision))) {
    throw new AppError('NOT_FOUND', 'no pending device sign-in has this code');
  }
}
