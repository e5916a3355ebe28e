import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { normalUserCode } from '../../domain/device-code.js';
import { decideOwnerDevice as decide } from '../../store/owner-device-sign-ins.js';
import { holdSession } from '../../store/sessions.js';

/**
 * Approves or denies the pending device sign-in of a code in the name of the user, for as long as the user's session lasts.
 *
 * @throws AppError UNAUTHORIZED when the session has ended; NOT_FOUND for a code that is unknown, expired or already decided
 */
export async function decideOwnerDevice(
  ctx: Pick<Context, 'clock' | 'pool'>,
  { userId, sessionId }: Principal,
  typedCode: string,
  status: 'approved' | 'denied',
): Promise<void> {
  await withTransaction(ctx.pool, async (tx) => {
    // Every transaction locks the device first, then the session.
    if (!(await decide(tx, normalUserCode(typedCode), { status, userId, sessionId }))) {
      throw new AppError('NOT_FOUND', 'no pending device sign-in has this code; it may have expired');
    }
    // From the database: this edge may not have seen the end of the session.
    if (!(await holdSession(tx, { id: sessionId, userId, at: ctx.clock.now() }))) {
      throw new AppError('UNAUTHORIZED', 'the session has ended; sign in again');
    }
  });
}
