import { accountBalanceSchema } from '@tollgate/api/identity';
import { formatMicrocents, toReportNumber } from '@tollgate/money';
import { defineRoute } from '../../exchange/route.js';
import { requireOwnAccount } from './require-own-account.js';

export const getAccountBalance = defineRoute({
  method: 'GET',
  path: '/account/balance',
  tag: 'Account',
  summary: "Get the owner's prepaid balance",
  operationId: 'getAccountBalance',
  description:
    'Every model request is charged to this balance; the tiers decide what customers pay. Members who belong to another account, and keys that they created or rotated, cannot read it.',
  auth: ['owner', 'secret_key'],
  success: { status: 200, schema: accountBalanceSchema },
  handler: async ({ call, principal }, ctx) => {
    await requireOwnAccount(ctx, principal);
    const balance = await ctx.clients.billing.getAccountBalance({}, call);
    return {
      body: {
        balance_microcents: toReportNumber(balance.balanceMicrocents),
        balance_formatted: formatMicrocents(balance.balanceMicrocents, balance.currency),
        currency: balance.currency,
        low_balance_threshold_cents: toReportNumber(balance.lowBalanceThresholdCents),
      },
    };
  },
});
