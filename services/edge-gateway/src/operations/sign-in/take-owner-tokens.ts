import { type Tx, withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { hashDeviceCode } from '../../domain/device-code.js';
import {
  deleteOwnerDevice,
  lockOwnerDevice,
  noteOwnerDevicePoll,
  type OwnerDeviceRow,
} from '../../store/owner-device-sign-ins.js';
import { holdSession } from '../../store/sessions.js';
import { findUser } from '../../store/users.js';
import { recordAudit, signedIn } from '../record-audit.js';
import { type SessionTokens, signAccessToken, writeSession } from '../tokens/start-session.js';
import { type DeviceRefusal, SLOW_DOWN_SECONDS } from './take-device-token.js';

export type OwnerDevicePoll =
  | { kind: 'tokens'; tokens: SessionTokens }
  | { kind: 'refused'; error: DeviceRefusal; intervalSeconds?: number };

type Outcome =
  | { kind: 'session'; userId: string; sessionId: string; refreshToken: string }
  | Extract<OwnerDevicePoll, { kind: 'refused' }>;

type Parts = Pick<Context, 'clock' | 'config' | 'directory' | 'logger' | 'pool' | 'tokens'>;

/** Returns the tokens of the approving owner's new session, once; otherwise a refusal. */
export async function takeOwnerTokens(
  ctx: Parts,
  deviceCode: string,
  asker: { address: string; requestId: string },
): Promise<OwnerDevicePoll> {
  const hash = hashDeviceCode(deviceCode);
  const outcome = await withTransaction(ctx.pool, (tx) => decide(ctx, tx, hash));
  if (outcome.kind === 'refused') return outcome;
  const { userId, sessionId, refreshToken } = outcome;
  const [user, owner] = [await findUser(ctx.pool, userId), await ctx.directory.owner(userId)];
  if (!user || !owner) return { kind: 'refused', error: 'access_denied' };
  const access = await signAccessToken(ctx, userId, owner.project.projectId, sessionId);
  await recordAudit(ctx, { ...signedIn(user, asker.address, asker.requestId), subjectId: sessionId });
  return { kind: 'tokens', tokens: { ...access, refreshToken } };
}

/** Under the lock of the sign-in: of two concurrent polls only one gets a session. */
async function decide(ctx: Parts, tx: Tx, hash: Buffer): Promise<Outcome> {
  const device = await lockOwnerDevice(tx, hash);
  if (!device) return { kind: 'refused', error: 'invalid_grant' };
  if (device.is_expired) return { kind: 'refused', error: 'expired_token' };
  if (device.status === 'pending') return refusePending(tx, hash, device);
  await deleteOwnerDevice(tx, hash);
  if (device.status === 'denied' || device.user_id === null) return { kind: 'refused', error: 'access_denied' };
  const { user_id: userId, session_id: id, client_name: clientName, address } = device;
  // The end of the approving session ends what it approved.
  if (id === null || !(await holdSession(tx, { id, userId, at: ctx.clock.now() }))) {
    return { kind: 'refused', error: 'access_denied' };
  }
  return { kind: 'session', userId, ...(await writeSession(ctx, tx, userId, { clientName, address })) };
}

async function refusePending(tx: Tx, hash: Buffer, device: OwnerDeviceRow): Promise<Outcome> {
  const intervalSeconds = device.interval_seconds + (device.is_early ? SLOW_DOWN_SECONDS : 0);
  await noteOwnerDevicePoll(tx, hash, intervalSeconds);
  return { kind: 'refused', error: device.is_early ? 'slow_down' : 'authorization_pending', intervalSeconds };
}
