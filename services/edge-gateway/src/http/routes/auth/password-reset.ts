import { completePasswordResetBody, requestPasswordResetBody } from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import { emailKey } from '../../../domain/email.js';
import { PASSWORD_RESET_TTL_MS } from '../../../domain/members/one-time-code.js';
import { enforceSignInLimit } from '../../../limits/rate-limit.js';
import { queueMail } from '../../../operations/mail/queue-mail.js';
import { resetPassword } from '../../../operations/password-reset/reset-password.js';
import { recordAudit } from '../../../operations/record-audit.js';
import { publicBaseUrl } from '../../exchange/public-base-url.js';
import { defineRoute } from '../../exchange/route.js';

/** Does the same for every address: only the worker that writes the mail reads whether the address has a user. */
export const requestPasswordReset = defineRoute({
  method: 'POST',
  path: '/auth/password-reset',
  tag: 'Authentication',
  summary: 'Send an email with a link that resets the password',
  operationId: 'requestPasswordReset',
  description:
    'The answer is the same whether or not the address has an account. The link works once, within half an hour. Attempts are limited per email and per address. 404 in an installation that sends no emails.',
  auth: 'none',
  body: requestPasswordResetBody,
  success: { status: 204 },
  refusals: [404],
  handler: async ({ body: { email }, address, headers }, ctx) => {
    if (!ctx.mailer) throw new AppError('NOT_FOUND', 'this installation sends no emails; ask its operator');
    await enforceSignInLimit('password-reset', address, emailKey(email), ctx);
    const expiresAt = new Date(ctx.clock.nowMs() + PASSWORD_RESET_TTL_MS);
    const baseUrl = publicBaseUrl(ctx, headers);
    await queueMail(ctx, ctx.pool, { kind: 'password_reset', recipient: email, baseUrl, expiresAt });
    return { status: 204 };
  },
});

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
