import { logUnexpectedErrors } from '@tollgate/rpc';
import { createLogger, runService } from '@tollgate/runtime';
import { configFromEnv } from './config.js';
import { migrateAgentRegistry, startAgentRegistry } from './server.js';

const config = configFromEnv(process.env);
const logger = createLogger('agent-registry', config.logLevel);
logUnexpectedErrors(logger);

if (process.argv.includes('--migrate-only')) {
  await migrateAgentRegistry(config);
  logger.info('the database is up to date');
} else {
  runService({ name: 'agent-registry', logger, start: () => startAgentRegistry(config, { logger }) });
}
