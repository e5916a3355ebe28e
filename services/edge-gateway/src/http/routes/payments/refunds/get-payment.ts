import { paymentDetailSchema } from '@tollgate/api/billing';
import { toJsonNumber } from '@tollgate/money';
import { z } from 'zod';
import { defineRoute } from '../../../exchange/route.js';
import { paymentJson, refundJson } from '../payments-json.js';

export const getPayment = defineRoute({
  method: 'GET',
  path: '/payments/:id',
  tag: 'Payments',
  summary: 'Get a purchase with its refunds and the amount that can be refunded',
  operationId: 'getPayment',
  auth: ['secret_key'],
  params: z.object({ id: z.string() }),
  success: { status: 200, schema: paymentDetailSchema },
  refusals: [404],
  async handler({ params, call }, ctx) {
    const { payment, refundableCents, refunds } = await ctx.clients.payments.getProjectPayment({ id: params.id }, call);
    return {
      body: {
        payment: payment && paymentJson(payment),
        refundable_cents: toJsonNumber(refundableCents),
        refunds: refunds.map(refundJson),
      },
    };
  },
});
