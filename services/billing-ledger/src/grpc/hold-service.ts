import { AccountLimitService } from '@tollgate/contracts/billing/v1/account_limits_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { extendHold } from '../operations/holds/extend-hold.js';
import { readHold } from '../operations/holds/read-hold.js';
import { supersedeHolds } from '../operations/holds/supersede-hold.js';
import { setAccountLimit } from '../operations/subjects/set-account-limit.js';
import { readHoldOutcomes } from '../store/gen/holds/hold-outcomes.js';

const OUTCOMES_MAX = 500;

/** The RPCs on holds after their admission. */
export function holdService(ctx: Context): Registration {
  return register(HoldService, {
    extendHold: (req, call) => extendHold(ctx, req, call),
    readHoldOutcomes: async (req, call) => ({
      outcomes: await readHoldOutcomes(ctx.pool, {
        ownerAccountId: call.requirePrincipal().accountId,
        holdIds: req.holdIds.slice(0, OUTCOMES_MAX),
      }),
    }),
    readHold: (req, call) => readHold(ctx, call.requirePrincipal(), req.holdId),
    supersedeHolds: async (req, call) => {
      await supersedeHolds(ctx, req.holdIds, call.requirePrincipal());
      return {};
    },
  });
}

/** Overrides the limits of single owner accounts. No public route calls it. */
export function accountLimitService(ctx: Context): Registration {
  return register(AccountLimitService, {
    setAccountLimit: async (req, call) => {
      await setAccountLimit(ctx, call.requirePrincipal(), req);
      return {};
    },
  });
}
