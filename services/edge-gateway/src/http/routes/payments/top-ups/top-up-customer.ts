import { walletTopUpInputSchema, walletTopUpSchema } from '@tollgate/api';
import { defineRoute } from '../../../exchange/route.js';
import { customerParams } from '../../customers/params.js';
import { walletTopUpJson } from '../payments-json.js';

export const topUpCustomer = defineRoute({
  method: 'POST',
  path: '/customers/:id/topup',
  tag: 'Payments',
  summary: "Open a checkout that fills a customer's wallet",
  auth: ['secret_key'],
  params: customerParams,
  body: walletTopUpInputSchema,
  success: { status: 201, schema: walletTopUpSchema },
  refusals: [409],
  idempotent: true,
  handler: async ({ params, body, call }, ctx) => {
    const req = {
      customerId: params.id,
      creditAmountCents: BigInt(body.credit_amount_cents),
      successUrl: body.success_url,
      cancelUrl: body.cancel_url,
    };
    const { topUp } = await ctx.clients.payments.createWalletTopUp(req, call);
    return { status: 201, body: walletTopUpJson(topUp) };
  },
});
