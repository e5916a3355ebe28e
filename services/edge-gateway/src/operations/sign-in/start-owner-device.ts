import { randomBytes, randomInt } from 'node:crypto';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import { hashDeviceCode, makeUserCode } from '../../domain/device-code.js';
import { insertOwnerDevice } from '../../store/owner-device-sign-ins.js';
import { DEVICE_INTERVAL_SECONDS, DEVICE_TTL_SECONDS, type StartedDevice } from './start-device.js';

const TRIES = 5;

/** Starts the device sign-in of an owner (RFC 8628). Who signs in is known when an owner approves it. */
export async function startOwnerDevice(
  ctx: Pick<Context, 'pool'>,
  device: { clientName: string; address: string },
): Promise<StartedDevice> {
  const deviceCode = `odc_${randomBytes(32).toString('base64url')}`;
  for (let i = 0; i < TRIES; i++) {
    const userCode = makeUserCode((below) => randomInt(below));
    const isNew = await insertOwnerDevice(ctx.pool, {
      ...device,
      deviceCodeHash: hashDeviceCode(deviceCode),
      userCode,
      intervalSeconds: DEVICE_INTERVAL_SECONDS,
      ttlMs: DEVICE_TTL_SECONDS * 1000,
    });
    if (isNew) return { deviceCode, userCode };
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'no unused code was found, try again');
}
