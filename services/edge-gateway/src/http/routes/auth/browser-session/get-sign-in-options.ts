import { signInOptionsSchema } from '@tollgate/api/identity';
import { defineRoute } from '../../../exchange/route.js';

export const getSignInOptions = defineRoute({
  method: 'GET',
  path: '/auth/sign-in-options',
  tag: 'Authentication',
  summary: 'Get the ways to sign in that this deployment offers',
  operationId: 'getSignInOptions',
  description: 'For a page that signs owners in: the providers that are configured, and whether there is a demo owner.',
  auth: 'none',
  success: { status: 200, schema: signInOptionsSchema },
  handler: async (_input, { config, mailer, oauth }) => ({
    body: {
      oauth_providers: oauth.ids,
      oauth_names: oauth.names,
      demo_owner: config.devMode,
      password_reset: mailer !== undefined,
    },
  }),
});
