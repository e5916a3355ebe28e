import { archiveJournal, verifyJournal } from '@tollgate/ledger-audit';
import { type Command, UsageError } from '@tollgate/service';
import type { Config } from '../config.js';

const HOUR_MS = 60 * 60_000;

export const verifyWholeJournal: Command<Config> = {
  summary: 'verifies all seals, sealed rows, transfers and accounts; exits 1 when any differs',
  timeoutMs: HOUR_MS,
  async run({ openPool }, { print }) {
    const differences = await verifyJournal({ pool: openPool({ max: 1, statementTimeoutMs: 0 }) });
    for (const row of differences)
      await print(row, `${row.account} ${row.field}: stored ${row.stored}, computed ${row.recomputed}`);
    await print({ differences: differences.length }, `${differences.length} differences`);
    return differences.length === 0 ? 0 : 1;
  },
};

export const archiveMonth: Command<Config> = {
  arguments: 'YYYY-MM FILE',
  summary: 'writes a sealed month to a new file and prints its seal; dist/verify-archive.js verifies the file',
  timeoutMs: HOUR_MS,
  async run({ openPool }, { args: [month, path], print }) {
    if (month === undefined || path === undefined) throw new UsageError('expected YYYY-MM and FILE');
    const seal = await archiveJournal({ pool: openPool({ max: 1, statementTimeoutMs: 0 }) }, { month, path });
    await print({ month, seal }, seal);
  },
};
