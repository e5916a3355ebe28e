import { browserSessionSchema } from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import { refuseSecret } from '../../../../limits/rate-limit.js';
import { resumeSession } from '../../../../operations/tokens/resume-session.js';
import { defineRoute } from '../../../exchange/route.js';
import { browserSessionJson } from '../auth-json.js';
import { requireSameOrigin } from './require-same-origin.js';
import { readSessionCookie } from './session-cookie.js';

const NO_SESSION = 'this browser has no session';

export const resumeBrowserSession = defineRoute({
  method: 'POST',
  path: '/auth/browser-session',
  tag: 'Authentication',
  summary: 'Get an access token for the session in the cookie of this browser',
  operationId: 'resumeBrowserSession',
  description:
    'The refresh token in the cookie stays valid, so that several tabs can share it. Rejects pages of other origins.',
  auth: 'none',
  success: { status: 200, schema: browserSessionSchema },
  refusals: [401, 403],
  handler: async ({ headers, address }, ctx) => {
    requireSameOrigin(ctx, headers);
    const token = readSessionCookie(headers);
    if (token === undefined) throw new AppError('UNAUTHORIZED', NO_SESSION);
    const tokens = await resumeSession(ctx, token);
    if (!tokens) return refuseSecret('refresh', address, NO_SESSION, ctx);
    return { body: browserSessionJson(tokens) };
  },
});
