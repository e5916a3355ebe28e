import { type OwnerDeviceRecord, ownerDevicePreviewBody, ownerDeviceSchema } from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import { normalUserCode } from '../../../../domain/device-code.js';
import { enforceSignInLimit } from '../../../../limits/rate-limit.js';
import { findPendingOwnerDevice } from '../../../../store/owner-device-sign-ins.js';
import { defineRoute } from '../../../exchange/route.js';

export const previewOwnerDevice = defineRoute({
  method: 'POST',
  path: '/auth/owner-device/preview',
  tag: 'Authentication',
  summary: 'Show which device asks to be signed in as you',
  operationId: 'previewOwnerDevice',
  description:
    'For the page on which an owner approves a device: its name and network address, and when it asked. Attempts are limited per network address and per user, so that codes cannot be guessed.',
  auth: ['owner'],
  body: ownerDevicePreviewBody,
  success: { status: 200, schema: ownerDeviceSchema },
  refusals: [404],
  handler: async ({ body, principal, address }, ctx) => {
    await enforceSignInLimit('owner-device', address, principal.userId, ctx);
    const device = await findPendingOwnerDevice(ctx.pool, normalUserCode(body.user_code));
    if (!device) throw new AppError('NOT_FOUND', 'no pending device sign-in has this code; it may have expired');
    const shown: OwnerDeviceRecord = {
      client_name: device.clientName,
      address: device.address,
      requested_at: device.requestedAt.toISOString(),
      expires_at: device.expiresAt.toISOString(),
    };
    return { body: shown, headers: { 'Cache-Control': 'no-store' } };
  },
});
