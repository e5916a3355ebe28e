import { accountTopUpInputSchema, accountTopUpSchema } from '@tollgate/api/billing';
import { defineRoute } from '../../../exchange/route.js';
import { accountTopUpJson } from '../payments-json.js';
import { returnUrls } from '../return-urls.js';

export const createAccountTopUp = defineRoute({
  method: 'POST',
  path: '/account/topup',
  tag: 'Account',
  summary: "Create a checkout that tops up the owner's prepaid balance",
  operationId: 'createAccountTopUp',
  description: 'Open `checkout_url` in a browser. The balance is credited when the payment is complete.',
  auth: ['owner'],
  body: accountTopUpInputSchema,
  success: { status: 201, schema: accountTopUpSchema },
  refusals: [402, 409],
  idempotent: true,
  handler: async (input, ctx) => {
    const { body, call } = input;
    const req = { amountCents: BigInt(body.amount_cents), ...returnUrls(ctx, input, body) };
    const { topUp } = await ctx.clients.payments.createAccountTopUp(req, call);
    return { status: 201, body: accountTopUpJson(topUp) };
  },
});
