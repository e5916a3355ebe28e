import { authTokensSchema, deviceTokenBody, deviceTokenError } from '@tollgate/api/identity';
import { takeOwnerTokens as take } from '../../../../operations/sign-in/take-owner-tokens.js';
import { defineRoute } from '../../../exchange/route.js';
import { tokensJson } from '../auth-json.js';
import { describeRefusal } from '../devices/describe-refusal.js';

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
