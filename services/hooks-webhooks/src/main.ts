import { onUnexpectedError } from '@tollgate/rpc';
import { createLogger, runService } from '@tollgate/runtime';
import { configFromEnv } from './config.js';
import { migrateHooks, startHooks } from './server.js';

const config = configFromEnv(process.env);
const logger = createLogger('hooks-webhooks', config.logLevel);
onUnexpectedError((err) => logger.error({ err }, 'a call failed unexpectedly'));

if (process.argv.includes('--migrate-only')) {
  await migrateHooks(config);
  logger.info('the database is up to date');
} else {
  runService({ name: 'hooks-webhooks', logger, start: () => startHooks(config, { logger }) });
}
