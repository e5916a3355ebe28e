import { logUnexpectedErrors } from '@tollgate/rpc';
import { createLogger, runService } from '@tollgate/runtime';
import { configFromEnv } from './config.js';
import { migrateWorkflow, startWorkflow } from './server.js';

const config = configFromEnv(process.env);
const logger = createLogger('workflow-engine', config.logLevel);
logUnexpectedErrors(logger);

if (process.argv.includes('--migrate-only')) {
  await migrateWorkflow(config);
  logger.info('the database is up to date');
} else {
  runService({ name: 'workflow-engine', logger, start: () => startWorkflow(config, { logger }) });
}
