import { AccountLimitService } from '@tollgate/contracts/billing/v1/account_limits_pb.js';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { setAccountLimit } from '../operations/subjects/set-account-limit.js';

/** Overrides the limits of single owner accounts. No public route calls it. */
export function accountLimitService(ctx: Context): Registration {
  return register(AccountLimitService, {
    setAccountLimit: async (req, call) => {
      await setAccountLimit(ctx, call.requirePrincipal(), req);
      return {};
    },
  });
}
