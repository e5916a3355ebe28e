import { brokenSeals, FIRST_OWNER, ledgerDifferences, listOwners, readMonths } from '@tollgate/ledger-audit';
import type { Queryable } from '@tollgate/postgres';
import { isUuid } from '@tollgate/runtime/uuid';
import { type Command, UsageError } from '@tollgate/service';
import type { Config } from '../config.js';
import { ledgerTotals } from '../store/reports/usage.js';

const ACCOUNTS_PER_PAGE = 500;
const ACCOUNTS_PER_LINE = 5_000;

/**
 * Compares every account with its sealed months, what was booked since, and its open holds. Exit code 1 on differences.
 * `verify-journal` also reads the sealed rows.
 */
export const verify: Command<Config> = {
  arguments: '[ACCOUNT_ID]',
  summary: 'compares all balances with the journal and the open holds; exits 1 when they differ',
  timeoutMs: 60 * 60_000,
  async run({ openPool }, { args: [accountId], print, progress, signal }) {
    if (accountId !== undefined && !isUuid(accountId)) throw new UsageError('ACCOUNT_ID: expected a UUID');
    const pool = openPool({ max: 1, statementTimeoutMs: 0 });
    const sums = { accounts: 0, differences: 0, openHolds: 0n, overrunMicrocents: 0n, unreconciledMicrocents: 0n };
    if (accountId === undefined)
      for (const row of brokenSeals(await readMonths(pool))) {
        sums.differences += 1;
        await print(row, `${row.account}: not as sealed`);
      }
    for await (const owner of accountId === undefined ? ownerAccounts(pool) : [accountId]) {
      signal.throwIfAborted();
      for (const row of await ledgerDifferences(pool, owner)) {
        sums.differences += 1;
        const text = `${owner} ${row.account} ${row.field}: stored ${row.stored}, computed ${row.recomputed} microcents`;
        await print({ ownerAccountId: owner, ...row }, text);
      }
      const totals = await ledgerTotals(pool, owner);
      sums.accounts += 1;
      sums.openHolds += totals.openHolds;
      sums.overrunMicrocents += totals.overrun;
      sums.unreconciledMicrocents += totals.unreconciled;
      if (sums.accounts % ACCOUNTS_PER_LINE === 0) progress(`${sums.accounts} owner accounts verified so far`);
    }
    const { accounts, differences, openHolds, overrunMicrocents, unreconciledMicrocents } = sums;
    const rest = `${openHolds} open holds, overrun ${overrunMicrocents}, unreconciled ${unreconciledMicrocents} microcents`;
    await print(sums, `${accounts} owner accounts, ${differences} differences; ${rest}`);
    return differences === 0 ? 0 : 1;
  },
};

async function* ownerAccounts(pool: Queryable): AsyncGenerator<string> {
  let after = FIRST_OWNER;
  for (;;) {
    const page = await listOwners(pool, after, ACCOUNTS_PER_PAGE);
    yield* page;
    if (page.length < ACCOUNTS_PER_PAGE) return;
    after = page.at(-1) as string;
  }
}
