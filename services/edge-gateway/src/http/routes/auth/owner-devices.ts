import {
  authTokensSchema,
  type DeviceStartResponse,
  deviceStartResponse,
  deviceTokenBody,
  deviceTokenError,
  type OwnerDeviceRecord,
  ownerDeviceApproveBody,
  ownerDevicePreviewBody,
  ownerDeviceSchema,
  ownerDeviceStartBody,
} from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import { normalUserCode } from '../../../domain/device-code.js';
import { enforceSignInLimit } from '../../../limits/rate-limit.js';
import { auditActor, recordAudit } from '../../../operations/record-audit.js';
import { decideOwnerDevice } from '../../../operations/sign-in/decide-owner-device.js';
import { DEVICE_INTERVAL_SECONDS, DEVICE_TTL_SECONDS } from '../../../operations/sign-in/start-device.js';
import { startOwnerDevice as start } from '../../../operations/sign-in/start-owner-device.js';
import { takeOwnerTokens as take } from '../../../operations/sign-in/take-owner-tokens.js';
import { findPendingOwnerDevice } from '../../../store/owner-device-sign-ins.js';
import { publicBaseUrl } from '../../exchange/public-base-url.js';
import { defineRoute } from '../../exchange/route.js';
import { describeRefusal } from './devices.js';
import { tokensJson } from './sessions.js';

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

/** The device code has 256 random bits, so polls have only the limit of requests without a credential. */
export const takeOwnerTokens = defineRoute({
  method: 'POST',
  path: '/auth/owner-device/token',
  tag: 'Authentication',
  summary: 'Poll for the tokens of an owner whose device sign-in was approved',
  operationId: 'pollOwnerDeviceToken',
  description:
    'Call it at the interval that the start returned. Until an owner approves, the answer is 400 with `authorization_pending` or `slow_down`. The tokens are returned once, and are refreshed like those of other sign-ins.',
  auth: 'none',
  body: deviceTokenBody,
  success: { status: 200, schema: authTokensSchema },
  alsoAnswers: [{ status: 400, schema: deviceTokenError }],
  handler: async ({ body, address, call: { requestId } }, ctx) => {
    const headers = { 'Cache-Control': 'no-store' };
    const poll = await take(ctx, body.device_code, { address, requestId });
    if (poll.kind === 'tokens') return { body: tokensJson(poll.tokens), headers };
    return { status: 400, body: describeRefusal(poll), headers };
  },
});
