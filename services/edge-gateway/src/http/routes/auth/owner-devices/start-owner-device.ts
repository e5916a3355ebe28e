import { type DeviceStartResponse, deviceStartResponse, ownerDeviceStartBody } from '@tollgate/api/identity';
import { enforceSignInLimit } from '../../../../limits/rate-limit.js';
import { DEVICE_INTERVAL_SECONDS, DEVICE_TTL_SECONDS } from '../../../../operations/sign-in/start-device.js';
import { startOwnerDevice as start } from '../../../../operations/sign-in/start-owner-device.js';
import { publicBaseUrl } from '../../../exchange/public-base-url.js';
import { defineRoute } from '../../../exchange/route.js';

export const startOwnerDevice = defineRoute({
  method: 'POST',
  path: '/auth/owner-device/start',
  tag: 'Authentication',
  summary: 'Start signing an owner in on a device (RFC 8628)',
  operationId: 'startOwnerDevice',
  description:
    'For command lines and other programs of owners. The program shows the user code and the address of the console, and polls with the device code. Attempts are limited per network address.',
  auth: 'none',
  body: ownerDeviceStartBody,
  success: { status: 201, schema: deviceStartResponse },
  handler: async ({ body, address, headers }, ctx) => {
    await enforceSignInLimit('owner-device-start', address, undefined, ctx);
    const page = `${publicBaseUrl(ctx, headers)}/console/device`;
    const { deviceCode, userCode } = await start(ctx, { clientName: body.client_name, address });
    const started: DeviceStartResponse = {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${userCode}`,
      expires_in: DEVICE_TTL_SECONDS,
      interval: DEVICE_INTERVAL_SECONDS,
    };
    return { body: started, headers: { 'Cache-Control': 'no-store' } };
  },
});
