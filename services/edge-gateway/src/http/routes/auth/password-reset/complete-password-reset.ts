import { completePasswordResetBody } from '@tollgate/api/identity';
import { enforceSignInLimit } from '../../../../limits/rate-limit.js';
import { resetPassword } from '../../../../operations/password-reset/reset-password.js';
import { recordAudit } from '../../../../operations/record-audit.js';
import { defineRoute } from '../../../exchange/route.js';

export const completePasswordReset = defineRoute({
  method: 'POST',
  path: '/auth/password-reset/complete',
  tag: 'Authentication',
  summary: 'Set a new password with the code from a reset email; every session of the user ends',
  operationId: 'completePasswordReset',
  description: 'Sign in with the new password afterwards. Keys are not affected. Attempts are limited per address.',
  auth: 'none',
  body: completePasswordResetBody,
  success: { status: 204 },
  refusals: [404],
  handler: async ({ body, address, ids: { requestId } }, ctx) => {
    await enforceSignInLimit('password-reset', address, undefined, ctx);
    const { id, accountId } = await resetPassword(ctx, body);
    const actor = { actorKind: 'user', actorId: id, subjectId: id } as const;
    await recordAudit(ctx, { accountId, action: 'password.reset', ...actor, address, requestId });
    return { status: 204 };
  },
});
