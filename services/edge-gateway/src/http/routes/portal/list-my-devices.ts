import { type CustomerDeviceRecord, customerDeviceListResponse } from '@tollgate/api/identity';
import { type CustomerSession, listCustomerSessions } from '../../../store/customer-sessions.js';
import { defineRoute } from '../../exchange/route.js';

export const listMyDevices = defineRoute({
  method: 'GET',
  path: '/customers/me/devices',
  tag: 'Customer self-service',
  summary: 'List the devices that are signed in for you, newest first',
  operationId: 'listMyDevices',
  description:
    'Devices that signed in by a code, and sessions of the portal; at most a hundred. Tokens that a backend minted are not listed.',
  auth: ['customer'],
  success: { status: 200, schema: customerDeviceListResponse },
  handler: async ({ principal: { projectId, customerId } }, ctx) => {
    const sessions = await listCustomerSessions(ctx.pool, projectId, customerId, ctx.clock.now());
    return { body: { devices: sessions.map(deviceJson) } };
  },
});

function deviceJson({ id, kind, userAgent, startedAt, expiresAt }: CustomerSession): CustomerDeviceRecord {
  return {
    id,
    kind,
    ...(userAgent !== null && { user_agent: userAgent }),
    signed_in_at: startedAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}
