import { logUnexpectedErrors } from '@tollgate/rpc';
import { createLogger, runService } from '@tollgate/runtime';
import { configFromEnv } from './config.js';
import { migrateMessaging, startMessaging } from './server.js';

const config = configFromEnv(process.env);
const logger = createLogger('messaging', config.logLevel);
logUnexpectedErrors(logger);

if (process.argv.includes('--migrate-only')) {
  await migrateMessaging(config);
  logger.info('the database is up to date');
} else {
  runService({ name: 'messaging', logger, start: () => startMessaging(config, { logger }) });
}
