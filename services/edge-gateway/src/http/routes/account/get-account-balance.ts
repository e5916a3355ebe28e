import { accountBalanceSchema } from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import { formatMicrocents, toReportNumber } from '@tollgate/money';
import { isLimitedToProject } from '../../exchange/project-scope.js';
import { defineRoute } from '../../exchange/route.js';

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
    if (await isLimitedToProject(ctx, principal)) {
      throw new AppError(
        'FORBIDDEN',
        'only users of the account that owns the project, and keys that they created, can read its balance',
      );
    }
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
