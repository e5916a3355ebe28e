import { ledgerVerifySchema } from '@tollgate/api/identity';
import { toReportNumber } from '@tollgate/money';
import { defineRoute } from '../../exchange/route.js';

export const verifyLedger = defineRoute({
  method: 'GET',
  path: '/account/ledger/verify',
  tag: 'Account',
  summary: 'Recompute every balance from the journal',
  operationId: 'verifyLedger',
  description: 'Compares every balance of the account with the sum of its journal entries.',
  auth: ['owner'],
  success: { status: 200, schema: ledgerVerifySchema },
  timeoutMs: 60_000,
  handler: async ({ call }, ctx) => {
    const verdict = await ctx.clients.billing.verifyLedger({}, call);
    return {
      body: {
        differences: verdict.differences.map(({ account, field, stored, recomputed }) => ({
          account,
          field,
          stored: stored.toString(),
          recomputed: recomputed.toString(),
        })),
        open_holds: toReportNumber(verdict.openHolds),
        overrun_microcents: toReportNumber(verdict.overrunMicrocents),
        unreconciled_microcents: toReportNumber(verdict.unreconciledMicrocents),
      },
    };
  },
});
