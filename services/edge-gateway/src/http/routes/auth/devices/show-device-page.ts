import { devicePageQuery } from '@tollgate/api/identity';
import { z } from 'zod';
import { defineRoute } from '../../../exchange/route.js';
import { devicePage } from './device-page.js';

export const showDevicePage = defineRoute({
  method: 'GET',
  path: '/auth/device',
  tag: 'Authentication',
  summary: 'Show the page on which a person enters the code of a device',
  operationId: 'showDevicePage',
  description: 'The page works without scripts.',
  auth: 'none',
  query: devicePageQuery,
  success: { status: 200, schema: z.string(), contentType: 'text/html' },
  handler: async ({ query }, ctx) => {
    const providers = ctx.oauth.names;
    if (ctx.oauth.ids.length === 0) {
      const code = query.user_code === undefined ? 'the code of your device' : `the code ${query.user_code}`;
      return devicePage({ message: `Sign in to the app that sent you here and enter ${code} there.` });
    }
    const form = { userCode: query.user_code ?? '', providers };
    return devicePage({
      message: 'Enter the code that your device shows. Continue only if the device is yours.',
      form,
    });
  },
});
