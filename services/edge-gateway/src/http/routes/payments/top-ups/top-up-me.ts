import { walletTopUpInputSchema, walletTopUpSchema } from '@tollgate/api';
import { defineRoute } from '../../../exchange/route.js';
import { walletTopUpJson } from '../payments-json.js';

export const topUpMe = defineRoute({
  method: 'POST',
  path: '/customers/me/topup',
  tag: 'Customer self-service',
  summary: 'Open a checkout that fills the own wallet',
  auth: ['customer'],
  body: walletTopUpInputSchema,
  success: { status: 201, schema: walletTopUpSchema },
  refusals: [404, 409],
  idempotent: true,
  handler: async ({ principal, body, call }, ctx) => {
    const req = {
      customerId: principal.customerId,
      creditAmountCents: BigInt(body.credit_amount_cents),
      successUrl: body.success_url,
      cancelUrl: body.cancel_url,
    };
    const { topUp } = await ctx.clients.payments.createWalletTopUp(req, call);
    return { status: 201, body: walletTopUpJson(topUp) };
  },
});
