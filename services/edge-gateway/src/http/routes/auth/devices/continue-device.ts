import { z } from 'zod';
import { normalUserCode } from '../../../../domain/device-code.js';
import { enforceSignInLimit } from '../../../../limits/rate-limit.js';
import { findPendingDevice } from '../../../../store/device-sign-ins.js';
import { defineRoute } from '../../../exchange/route.js';
import { leadToProvider, requireProvider } from '../oauth/oauth-parts.js';
import { devicePage } from './device-page.js';

const form = z.object({ user_code: z.string().max(32), provider: z.enum(['github', 'google']) });

/** Receives the page's form; its limit per address prevents guessing codes. */
export const continueDevice = defineRoute({
  method: 'POST',
  path: '/auth/device',
  tag: 'Authentication',
  summary: 'Continue from the device page to the provider; sent by its form',
  operationId: 'continueDevice',
  description: 'The form of the device page sends the code that the person entered.',
  auth: 'none',
  success: { status: 303 },
  alsoAnswers: [
    { status: 400, contentType: 'text/html' },
    { status: 404, contentType: 'text/html' },
  ],
  refusals: [404],
  handler: async ({ rawBody, headers, address }, ctx) => {
    await enforceSignInLimit('device', address, undefined, ctx);
    const sent = form.safeParse(Object.fromEntries(new URLSearchParams(rawBody.toString('utf8'))));
    if (!sent.success) return { ...devicePage({ message: 'The form is incomplete.' }), status: 400 };
    const { user_code: userCode, provider } = sent.data;
    requireProvider(ctx, provider);
    const device = await findPendingDevice(ctx.pool, normalUserCode(userCode));
    if (!device) {
      const again = { userCode, providers: ctx.oauth.names };
      return { ...devicePage({ message: 'No pending device sign-in has this code.', form: again }), status: 404 };
    }
    return leadToProvider(ctx, headers, { provider, deviceCodeHash: device.device_code_hash });
  },
});
