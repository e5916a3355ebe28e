import { paymentDetailSchema, refundEnvelopeSchema, refundInputSchema } from '@tollgate/api/billing';
import { AppError } from '@tollgate/errors';
import { toJsonNumber } from '@tollgate/money';
import { z } from 'zod';
import { readIdempotencyKey } from '../../exchange/idempotency-key.js';
import { defineRoute } from '../../exchange/route.js';
import { paymentJson, refundJson } from './payments-json.js';

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

/** The key names the refund at the ledger and at the processor: a repeat after a lost answer does not refund again. */
export const refundPayment = defineRoute({
  method: 'POST',
  path: '/payments/:id/refund',
  tag: 'Payments',
  summary: "Refund a customer's top-up to its card, in full or in part; requires an Idempotency-Key, and refunds once",
  operationId: 'refundPayment',
  description:
    'The amount is taken from the wallet at once. It never exceeds what is left of the payment, or of the paid money in ' +
    'the wallet. While the answer of the card processor is unknown, the refund is `pending` and its amount is reserved. ' +
    'A refund that the card processor rejects is `failed`, and its amount is in the wallet again. ' +
    'Refund the payments of subscriptions at the card processor.',
  auth: ['secret_key'],
  params: z.object({ id: z.string() }),
  body: refundInputSchema,
  success: { status: 201, schema: refundEnvelopeSchema },
  refusals: [404, 409],
  idempotent: true,
  audit: 'payment.refund_requested',
  async handler({ params, body, headers, principal, call }, ctx) {
    const key = readIdempotencyKey(headers);
    if (key === undefined) {
      // A payment of another project stays hidden.
      await ctx.clients.payments.getProjectPayment({ id: params.id }, call);
      throw new AppError('INVALID_INPUT', 'Idempotency-Key is required');
    }
    const { refund } = await ctx.clients.payments.refundPayment(
      {
        paymentId: params.id,
        cause: `refund/${principal.projectId}/${key}`,
        ...(body.amount_cents !== undefined && { amountCents: BigInt(body.amount_cents) }),
      },
      call,
    );
    return { body: { refund: refund && refundJson(refund) } };
  },
});
