import { customerCreditInputSchema, customerCreditSchema } from '@tollgate/api/billing';
import { AppError } from '@tollgate/errors';
import { centsToMicrocents, toReportNumber } from '@tollgate/money';
import { readIdempotencyKey } from '../../../exchange/idempotency-key.js';
import { defineRoute } from '../../../exchange/route.js';
import { customerParams } from '../params.js';

/** The key names the grant in the journal: a repeat after a lost answer does not apply it again. */
export const creditCustomer = defineRoute({
  method: 'POST',
  path: '/customers/:id/credit',
  tag: 'Customers',
  summary: "Add to a customer's wallet without a payment; requires an Idempotency-Key, and applies it once",
  auth: ['secret_key'],
  params: customerParams,
  body: customerCreditInputSchema,
  success: { status: 201, schema: customerCreditSchema },
  idempotent: true,
  audit: 'customer.credited',
  handler: async ({ params, body, headers, principal, call }, ctx) => {
    const key = readIdempotencyKey(headers);
    if (key === undefined) {
      // A customer of another project stays hidden.
      await ctx.clients.billing.getCustomer({ by: { case: 'id', value: params.id } }, call);
      throw new AppError('INVALID_INPUT', 'Idempotency-Key is required');
    }
    const granted = await ctx.clients.billing.grantCredit(
      {
        target: { case: 'customerId', value: params.id },
        amountMicrocents: centsToMicrocents(BigInt(body.amount_cents)),
        reason: body.reason,
        cause: `credit/${principal.projectId}/${params.id.toLowerCase()}/${key}`,
      },
      call,
    );
    return { body: { balance_microcents: toReportNumber(granted.balanceMicrocents), applied: granted.applied } };
  },
});
