import { centsToMicrocents } from '@tollgate/money';
import type { Queryable } from '@tollgate/postgres';
import type { WalletOrigins } from '../../domain/wallet-split.js';
import type { AccountRow } from '../../store/accounts.js';
import { netPayments } from '../../store/credit/forfeits.js';

/** Returns where the money of an existing customer's wallet came from. A caller that moves money has locked the wallet. */
export async function readOrigins(
  db: Queryable,
  wallet: AccountRow,
  pendingRefundCents: bigint,
): Promise<WalletOrigins> {
  const { credits, debits, held } = wallet;
  const refunding = centsToMicrocents(pendingRefundCents);
  return { balance: credits - debits, held, refunding, paid: await netPayments(db, wallet.id) };
}
