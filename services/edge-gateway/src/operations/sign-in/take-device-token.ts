import { withTransaction } from '@tollgate/postgres';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { hashDeviceCode } from '../../domain/device-code.js';
import { insertCustomerSession } from '../../store/customer-sessions.js';
import { deleteDeviceSignIn, lockDeviceSignIn, notePoll } from '../../store/device-sign-ins.js';
import { type CustomerToken, mintCustomerToken } from '../tokens/mint-customer-token.js';

/** Added to the interval of a device that polls too often (RFC 8628, section 3.5). */
export const SLOW_DOWN_SECONDS = 5;

/** Errors of RFC 8628, section 3.5, and RFC 6749, section 5.2. */
export type DeviceRefusal = 'authorization_pending' | 'slow_down' | 'expired_token' | 'invalid_grant' | 'access_denied';

export type DevicePoll =
  | { kind: 'token'; token: CustomerToken }
  | { kind: 'refused'; error: DeviceRefusal; intervalSeconds?: number };

/** Returns the approved customer's token, once; otherwise a refusal. */
export function takeDeviceToken(
  ctx: Pick<Context, 'clients' | 'clock' | 'customers' | 'pool' | 'tokens'>,
  { deviceCode, userAgent }: { deviceCode: string; userAgent: string | null },
  call: Call,
): Promise<DevicePoll> {
  const hash = hashDeviceCode(deviceCode);
  const { projectId } = call.requirePrincipal();
  return withTransaction(ctx.pool, async (tx): Promise<DevicePoll> => {
    const device = await lockDeviceSignIn(tx, hash);
    if (device?.project_id !== projectId) return { kind: 'refused', error: 'invalid_grant' };
    if (device.is_expired) return { kind: 'refused', error: 'expired_token' };
    if (device.status === 'denied') {
      await deleteDeviceSignIn(tx, hash);
      return { kind: 'refused', error: 'access_denied' };
    }
    if (device.status === 'pending') {
      const intervalSeconds = device.interval_seconds + (device.is_early ? SLOW_DOWN_SECONDS : 0);
      await notePoll(tx, hash, intervalSeconds);
      return { kind: 'refused', error: device.is_early ? 'slow_down' : 'authorization_pending', intervalSeconds };
    }
    // Mints under the lock: after a failure the next poll can retry, and of two concurrent polls only one gets a token.
    const token = await mintFor(ctx, device.customer_id!, call);
    await deleteDeviceSignIn(tx, hash);
    const { sessionId: id, customerId, expiresAt } = token;
    const session = { id, projectId, customerId, kind: 'device' as const, userAgent };
    await insertCustomerSession(tx, { ...session, startedAt: ctx.clock.now(), expiresAt });
    return { kind: 'token', token };
  });
}

/** Subscribes a customer without a subscription, whom the sign-in has just created, to the project's default tier. */
async function mintFor(
  ctx: Pick<Context, 'clients' | 'customers' | 'tokens'>,
  customerId: string,
  call: Call,
): Promise<CustomerToken> {
  const { billing } = ctx.clients;
  const { envelope } = await billing.getCustomer({ by: { case: 'id', value: customerId } }, call);
  let tierCode: string | undefined;
  if (!envelope?.subscription && !call.requirePrincipal().byob) {
    const { tiers } = await billing.listTiers({}, call);
    tierCode = tiers.find((tier) => tier.isDefault)?.tierCode;
  }
  return mintCustomerToken(ctx, { by: { case: 'customerId', value: customerId }, tierCode }, call);
}
