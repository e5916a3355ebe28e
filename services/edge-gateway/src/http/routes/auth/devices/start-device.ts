import { type DeviceStartResponse, deviceStartResponse } from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import {
  DEVICE_INTERVAL_SECONDS,
  DEVICE_TTL_SECONDS,
  startDevice as start,
} from '../../../../operations/sign-in/start-device.js';
import { publicBaseUrl } from '../../../exchange/public-base-url.js';
import { defineRoute } from '../../../exchange/route.js';

export const startDevice = defineRoute({
  method: 'POST',
  path: '/auth/device/start',
  tag: 'Authentication',
  summary: 'Start a device sign-in (RFC 8628)',
  operationId: 'startDevice',
  description:
    'Returns a code for the person and a code for the device. The device shows the first and polls with the second.',
  auth: ['secret_key', 'publishable_key'],
  success: { status: 201, schema: deviceStartResponse },
  handler: async ({ principal, headers }, ctx) => {
    if (principal.keySpendLimitMicrocents !== undefined) {
      throw new AppError('FORBIDDEN', 'a spend-limited key cannot mint customer tokens');
    }
    const page = `${publicBaseUrl(ctx, headers)}/api/v1/auth/device`;
    const { deviceCode, userCode } = await start(ctx, principal.projectId);
    const body: DeviceStartResponse = {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${userCode}`,
      expires_in: DEVICE_TTL_SECONDS,
      interval: DEVICE_INTERVAL_SECONDS,
    };
    return { body };
  },
});
