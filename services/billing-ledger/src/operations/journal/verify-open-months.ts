import type { Context } from '../../context.js';
import { readMonths } from '../../store/journal/months.js';
import { differencesOfOwners, FIRST_OWNER, listOwners } from '../../store/reports/verification.js';
import { brokenSeals } from './sealed-month.js';

const OWNERS_PER_STATEMENT = 50;

/**
 * Compares every account with its sealed balances and what was booked since, and logs each difference. Reads in bounded
 * statements and blocks no request. Ends without a result when `signal` aborts.
 */
export async function verifyOpenMonths(
  { pool, logger, metrics }: Pick<Context, 'logger' | 'metrics' | 'pool'>,
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
  metrics.verified.everyone(found.length);
}
