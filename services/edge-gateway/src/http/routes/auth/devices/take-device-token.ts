import { deviceTokenBody, deviceTokenError, deviceTokenResponse } from '@tollgate/api/identity';
import { toStoredUserAgent } from '../../../../domain/portal-code.js';
import { takeDeviceToken as take } from '../../../../operations/sign-in/take-device-token.js';
import { defineRoute } from '../../../exchange/route.js';
import { customerTokenJson } from '../customer-token-json.js';
import { describeRefusal } from './describe-refusal.js';

/** Renders errors in the form of RFC 8628, section 3.5. */
export const takeDeviceToken = defineRoute({
  method: 'POST',
  path: '/auth/device/token',
  tag: 'Authentication',
  summary: 'Poll for the token of a device sign-in',
  operationId: 'pollDeviceToken',
  description:
    'Call it at the interval that the start returned. Until the device is approved, the answer is 400 with `authorization_pending` or `slow_down`.',
  auth: ['secret_key', 'publishable_key'],
  body: deviceTokenBody,
  success: { status: 200, schema: deviceTokenResponse },
  alsoAnswers: [{ status: 400, schema: deviceTokenError }],
  handler: async ({ body, headers, call, principal }, ctx) => {
    const userAgent = toStoredUserAgent(headers['user-agent']);
    const poll = await take(ctx, { deviceCode: body.device_code, userAgent }, call);
    if (poll.kind === 'token') return { body: customerTokenJson(poll.token, principal.projectId) };
    return { status: 400, body: describeRefusal(poll) };
  },
});
