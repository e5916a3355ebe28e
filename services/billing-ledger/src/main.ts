import { logUnexpectedErrors } from '@tollgate/rpc';
import { runMain } from '@tollgate/runtime';
import { configFromEnv } from './config.js';
import { migrateBilling, startBilling } from './server.js';

await runMain({
  name: 'billing-ledger',
  readConfig: configFromEnv,
  migrate: migrateBilling,
  start(config, logger) {
    logUnexpectedErrors(logger);
    return startBilling(config, { logger });
  },
});
