import { accountTopUpSchema } from '@tollgate/api/billing';
import { z } from 'zod';
import { defineRoute } from '../../../exchange/route.js';
import { accountTopUpJson } from '../payments-json.js';

export const getAccountTopUp = defineRoute({
  method: 'GET',
  path: '/account/topups/:id',
  tag: 'Account',
  summary: "Get one of the owner's top-ups",
  operationId: 'getAccountTopUp',
  description: 'Poll it after a checkout: `completed` means that the balance was credited.',
  auth: ['owner'],
  params: z.object({ id: z.string() }),
  success: { status: 200, schema: accountTopUpSchema },
  handler: async ({ params, call }, ctx) => ({
    body: accountTopUpJson((await ctx.clients.payments.getAccountTopUp({ id: params.id }, call)).topUp),
  }),
});
