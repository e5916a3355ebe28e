import { ownerDeviceApproveBody } from '@tollgate/api/identity';
import { enforceSignInLimit } from '../../../../limits/rate-limit.js';
import { auditActor, recordAudit } from '../../../../operations/record-audit.js';
import { decideOwnerDevice } from '../../../../operations/sign-in/decide-owner-device.js';
import { defineRoute } from '../../../exchange/route.js';

export const approveOwnerDevice = defineRoute({
  method: 'POST',
  path: '/auth/owner-device/approve',
  tag: 'Authentication',
  summary: 'Approve or deny a device that asks to be signed in as you',
  operationId: 'approveOwnerDevice',
  description:
    'The device gets a session of the user who approves, with all that the user may do. If the approving session ends before the device has its tokens, it gets none. Each code is decided once. Attempts are limited per network address and per user.',
  auth: ['owner'],
  body: ownerDeviceApproveBody,
  success: { status: 204 },
  refusals: [404],
  handler: async ({ body, principal, address, call }, ctx) => {
    await enforceSignInLimit('owner-device', address, principal.userId, ctx);
    const status = body.decision === 'approve' ? 'approved' : 'denied';
    await decideOwnerDevice(ctx, principal, body.user_code, status);
    const { accountId, projectId } = principal;
    const action = status === 'approved' ? 'session.device_approved' : 'session.device_denied';
    const { requestId } = call;
    await recordAudit(ctx, { accountId, projectId, action, ...auditActor(principal), address, requestId });
    return { status: 204 };
  },
});
