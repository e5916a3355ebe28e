import { randomUUID } from 'node:crypto';
import { type Tx, withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { type ClosingEntry, closingEntries } from '../../domain/closed-wallet.js';
import { COUNTER_ACCOUNTS } from '../../domain/counter-accounts.js';
import { type AccountRow, findAccount, lockAccounts } from '../../store/accounts.js';
import { walletOrigins } from '../../store/credit/forfeits.js';
import { takeDeletedCustomer } from '../../store/customers/deleted-customers.js';
import { insertTransfer } from '../../store/transfers.js';

/** How long settlements of requests admitted before the deletion can arrive. */
const WATCH = { pauseMs: 60_000, watchMs: 7 * 24 * 3_600_000 };
const BATCH_MAX = 100;

/**
 * Empties the wallet of a deleted customer, except for amounts that open holds reserve. Idempotent: a repeat books only
 * later changes.
 */
export async function closeWallet(tx: Tx, customerId: string): Promise<void> {
  const wallet = await findAccount(tx, { kind: 'wallet', refId: customerId });
  if (!wallet) return;
  const { credits, debits, held } = (await lockAccounts(tx, [wallet.id])).get(wallet.id) as AccountRow;
  const entries = closingEntries({ balance: credits - debits, held, ...(await walletOrigins(tx, wallet.id)) });
  for (const { kind, microcents } of entries)
    await insertTransfer(tx, {
      ...transferSides(kind, wallet.id),
      amountMicrocents: microcents,
      kind,
      cause: randomUUID(),
    });
}

function transferSides(kind: ClosingEntry['kind'], wallet: bigint): { debit: bigint; credit: bigint } {
  switch (kind) {
    case 'forfeited':
      return { debit: wallet, credit: COUNTER_ACCOUNTS.forfeited };
    case 'forfeit_returned':
      return { debit: COUNTER_ACCOUNTS.forfeited, credit: wallet };
    case 'written_off':
      return { debit: COUNTER_ACCOUNTS.writtenOff, credit: wallet };
    case 'write_off_returned':
      return { debit: wallet, credit: COUNTER_ACCOUNTS.writtenOff };
    case 'promo_returned':
      return { debit: wallet, credit: COUNTER_ACCOUNTS.promo };
  }
}

/** Empties wallets of deleted customers again after their open requests settled. Returns true if there may be more. */
export async function closeWallets(ctx: Pick<Context, 'clock' | 'pool'>): Promise<boolean> {
  for (let closed = 0; closed < BATCH_MAX; closed += 1) {
    const id = await withTransaction(ctx.pool, async (tx) => {
      const due = await takeDeletedCustomer(tx, ctx.clock.now(), WATCH);
      if (due !== undefined) await closeWallet(tx, due);
      return due;
    });
    if (id === undefined) return false;
  }
  return true;
}
