import { autoTopUpInputSchema, autoTopUpSchema } from '@tollgate/api/billing';
import { defineRoute } from '../../../exchange/route.js';
import { autoTopUpJson } from '../payments-json.js';

export const setAutoTopUp = defineRoute({
  method: 'PUT',
  path: '/account/billing/auto-topup',
  tag: 'Account',
  summary: 'Set up automatic top-ups; 409 when no card is stored',
  operationId: 'setAutoTopUp',
  description: 'The stored card is charged when the balance falls below the threshold.',
  auth: ['owner'],
  body: autoTopUpInputSchema,
  success: { status: 200, schema: autoTopUpSchema },
  refusals: [409],
  audit: 'auto_topup.updated',
  handler: async ({ body, call }, ctx) => {
    const req = {
      enabled: body.enabled,
      thresholdCents: BigInt(body.threshold_cents),
      amountCents: BigInt(body.amount_cents),
    };
    const { autoTopUp } = await ctx.clients.payments.setAutoTopUp(req, call);
    const changes = Object.entries(body).map(([field, value]) => ({ field, after: String(value) }));
    return { body: autoTopUpJson(autoTopUp), audited: { changes } };
  },
});
