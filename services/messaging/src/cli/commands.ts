import { type Commands, exportCustomerCommand, pruneCommand, pruneStep } from '@tollgate/service';
import type { Config } from '../config.js';
import { CUSTOMER_TABLES } from '../store/customer-export.js';
import { deleteOldMessages } from '../store/retention.js';

/** The tasks that an operator runs in the image of this service. */
export const commands: Commands<Config> = {
  'export-customer': exportCustomerCommand('messaging', CUSTOMER_TABLES),
  prune: pruneCommand(({ config, openPool }) => {
    const pool = openPool({ max: 1 });
    return [pruneStep('messages', (limit) => deleteOldMessages(pool, config.messageRetentionDays, limit))];
  }),
};
