import { logUnexpectedErrors } from '@tollgate/rpc';
import { createLogger, runService } from '@tollgate/runtime';
import { configFromEnv } from './config.js';
import { migrateHooks, startHooks } from './server.js';

const config = configFromEnv(process.env);
const logger = createLogger('hooks-webhooks', config.logLevel);
logUnexpectedErrors(logger);

if (process.argv.includes('--migrate-only')) {
  await migrateHooks(config);
  logger.info('the database is up to date');
} else {
  runService({ name: 'hooks-webhooks', logger, start: () => startHooks(config, { logger }) });
}
