import type { Queryable } from '@tollgate/postgres';
import type { Logger } from '@tollgate/runtime';
import { brokenSeals } from './sealed-month.js';
import { readMonths } from './store/months.js';
import { differencesOfOwners, FIRST_OWNER, listOwners } from './store/verification.js';

const OWNERS_PER_STATEMENT = 50;

export interface VerifyContext {
  pool: Queryable;
  logger: Logger;
  /** Is called at the end of each whole pass with the number of differences. */
  onVerified: (differences: number) => void;
}

/**
 * Compares every account with its sealed balances and what was booked since, and logs each difference. Reads in bounded
 * statements and blocks no request. Ends without a result when `signal` aborts.
 */
export async function verifyOpenMonths(
  { pool, logger, onVerified }: VerifyContext,
  signal: AbortSignal,
): Promise<void> {
  const found = brokenSeals(await readMonths(pool));
  let owners = await listOwners(pool, FIRST_OWNER, OWNERS_PER_STATEMENT);
  while (owners.length > 0) {
    if (signal.aborted) return;
    found.push(...(await differencesOfOwners(pool, 'open', owners)));
    owners = await listOwners(pool, owners.at(-1) as string, OWNERS_PER_STATEMENT);
  }
  for (const { account, field, stored, recomputed } of found)
    logger.error({ account, field, stored: String(stored), recomputed: String(recomputed) }, 'ledger differs');
  onVerified(found.length);
}
