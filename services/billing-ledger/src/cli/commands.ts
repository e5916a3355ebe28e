import { removePublished } from '@tollgate/events';
import { type Commands, exportCustomerCommand, outboxCommands, pruneCommand, pruneStep } from '@tollgate/service';
import type { Config } from '../config.js';
import { retentionSteps } from '../operations/delete-old-rows.js';
import { CUSTOMER_TABLES } from '../store/customers/customer-export.js';
import { setLimit, showLimits } from './account-limits.js';
import { archiveMonth, verifyWholeJournal } from './journal.js';
import { verify } from './verify.js';

const PUBLISHED_KEPT_MS = 86_400_000;

/** The tasks that an operator runs in the image of this service. */
export const commands: Commands<Config> = {
  verify,
  'verify-journal': verifyWholeJournal,
  'archive-journal': archiveMonth,
  'show-limits': showLimits,
  'set-limit': setLimit,
  'export-customer': exportCustomerCommand('billing-ledger', CUSTOMER_TABLES),
  ...outboxCommands(),
  prune: pruneCommand(({ config, openPool }) => {
    const pool = openPool({ max: 1 });
    return [
      ...retentionSteps({ config, pool }),
      pruneStep('published events', (limit) => removePublished(pool, PUBLISHED_KEPT_MS, limit)),
    ];
  }),
};
