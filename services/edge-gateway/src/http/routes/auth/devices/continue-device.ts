import { z } from 'zod';
import { normalUserCode } from '../../../../domain/device-code.js';
import { findPendingDevice } from '../../../../store/device-sign-ins.js';
import { enforceSignInLimit } from '../../../exchange/rate-limit.js';
import { defineRoute } from '../../../exchange/route.js';
import { leadToProvider, requireProvider } from '../oauth/oauth-parts.js';
import { devicePage } from './device-page.js';

const form = z.object({ user_code: z.string().max(32), provider: z.enum(['github', 'google']) });

/** The form of the page; its limit per address keeps codes from being guessed. */
export const continueDevice = defineRoute({
  method: 'POST',
  path: '/auth/device',
  tag: 'Authentication',
  summary: 'Sent by the page: on to the provider with the device that shows this code',
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
    if (!sent.success) return { ...devicePage({ message: 'That form was incomplete.' }), status: 400 };
    const { user_code: userCode, provider } = sent.data;
    requireProvider(ctx, provider);
    const device = await findPendingDevice(ctx.pool, normalUserCode(userCode));
    if (!device) {
      const again = { userCode, providers: ctx.oauth.names };
      return { ...devicePage({ message: 'No device waits with this code.', form: again }), status: 404 };
    }
    return leadToProvider(ctx, headers, { provider, deviceCodeHash: device.device_code_hash });
  },
});
