import { logUnexpectedErrors } from '@tollgate/rpc';
import { createLogger, runService } from '@tollgate/runtime';
import { configFromEnv } from './config.js';
import { migrateInference, startInference } from './server.js';

const config = configFromEnv(process.env);
const logger = createLogger('gateway-inference', config.logLevel);
logUnexpectedErrors(logger);

if (process.argv.includes('--migrate-only')) {
  await migrateInference(config);
  logger.info('the database is up to date');
} else {
  runService({ name: 'gateway-inference', logger, start: () => startInference(config, { logger }) });
}
