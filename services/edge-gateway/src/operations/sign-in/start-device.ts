import { randomBytes, randomInt } from 'node:crypto';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import { hashDeviceCode, makeUserCode } from '../../domain/device-code.js';
import { insertDeviceSignIn } from '../../store/device-sign-ins.js';

export const DEVICE_TTL_SECONDS = 15 * 60;
export const DEVICE_INTERVAL_SECONDS = 5;
const TRIES = 5;

export interface StartedDevice {
  deviceCode: string;
  userCode: string;
}

/** Starts a device sign-in (RFC 8628). */
export async function startDevice(ctx: Pick<Context, 'pool'>, projectId: string): Promise<StartedDevice> {
  const deviceCode = `dc_${randomBytes(32).toString('base64url')}`;
  for (let i = 0; i < TRIES; i++) {
    const userCode = makeUserCode((below) => randomInt(below));
    const isNew = await insertDeviceSignIn(ctx.pool, {
      deviceCodeHash: hashDeviceCode(deviceCode),
      userCode,
      projectId,
      intervalSeconds: DEVICE_INTERVAL_SECONDS,
      ttlMs: DEVICE_TTL_SECONDS * 1000,
    });
    if (isNew) return { deviceCode, userCode };
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'no unused code was found, try again');
}
