import { logUnexpectedErrors } from '@tollgate/rpc';
import { createLogger, runService } from '@tollgate/runtime';
import { configFromEnv } from './config.js';
import { migrateBilling, startBilling } from './server.js';

const config = configFromEnv(process.env);
const logger = createLogger('billing-ledger', config.logLevel);
logUnexpectedErrors(logger);

if (process.argv.includes('--migrate-only')) {
  await migrateBilling(config);
  logger.info('the database is up to date');
} else {
  runService({ name: 'billing-ledger', logger, start: () => startBilling(config, { logger }) });
}
