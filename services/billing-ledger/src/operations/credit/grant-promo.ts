import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { centsToMicrocents } from '@tollgate/money';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { COUNTER_ACCOUNTS } from '../../domain/counter-accounts.js';
import { openAccount } from '../../store/accounts.js';
import { claimPromo, hasPromo } from '../../store/credit/promo-grants.js';
import type { CustomerRecord } from '../../store/customers/customer-records.js';
import { insertTransfer } from '../../store/transfers.js';
import type { TierRecord } from '../tiers/write-tier.js';

/**
 * Grants the tier's promo credit with the customer's first token, once per (project, external id), even if the customer was
 * deleted and created again (DECISIONS 3.1).
 */
export async function grantPromo(
  ctx: Pick<Context, 'pool'>,
  principal: Principal,
  customer: CustomerRecord,
  tier: TierRecord,
): Promise<void> {
  const cents = tier.promoCreditsCents ?? 0n;
  const { projectId, externalId } = customer;
  if (cents === 0n || (await hasPromo(ctx.pool, projectId, externalId))) return;
  await withTransaction(ctx.pool, async (tx) => {
    if (!(await claimPromo(tx, projectId, externalId))) return;
    const wallet = await openAccount(tx, principal.accountId, { kind: 'wallet', refId: customer.id });
    await insertTransfer(tx, {
      debit: COUNTER_ACCOUNTS.promo,
      credit: wallet.id,
      amountMicrocents: centsToMicrocents(cents),
      kind: 'promo',
      cause: customer.id,
    });
  });
}
