import { creditWithdrawalInputSchema, creditWithdrawalSchema } from '@tollgate/api/billing';
import { AppError } from '@tollgate/errors';
import { centsToMicrocents, toReportNumber } from '@tollgate/money';
import { readIdempotencyKey } from '../../../exchange/idempotency-key.js';
import { defineRoute } from '../../../exchange/route.js';
import { customerParams } from '../params.js';

/** The key names the withdrawal in the journal: a repeat after a lost answer does not apply it again. */
export const withdrawCredit = defineRoute({
  method: 'POST',
  path: '/customers/:id/credit/withdraw',
  tag: 'Customers',
  summary: "Take granted credit back from a customer's wallet; requires an Idempotency-Key, and applies it once",
  operationId: 'withdrawCustomerCredit',
  description: 'Paid money stays: refund the payment instead. Granted credit counts as used before paid money.',
  auth: ['secret_key'],
  params: customerParams,
  body: creditWithdrawalInputSchema,
  success: { status: 201, schema: creditWithdrawalSchema },
  refusals: [404, 409],
  idempotent: true,
  audit: 'customer.credit_withdrawn',
  handler: async ({ params, body, headers, principal, call }, ctx) => {
    const key = readIdempotencyKey(headers);
    if (key === undefined) {
      // A customer of another project stays hidden.
      await ctx.clients.billing.getCustomer({ by: { case: 'id', value: params.id } }, call);
      throw new AppError('INVALID_INPUT', 'Idempotency-Key is required');
    }
    const withdrawn = await ctx.clients.billing.withdrawCredit(
      {
        customerId: params.id,
        amountMicrocents: centsToMicrocents(BigInt(body.amount_cents)),
        cause: `withdrawal/${principal.projectId}/${params.id.toLowerCase()}/${key}`,
      },
      call,
    );
    return { body: { balance_microcents: toReportNumber(withdrawn.balanceMicrocents), applied: withdrawn.applied } };
  },
});
