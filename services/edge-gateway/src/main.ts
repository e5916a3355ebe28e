import { logUnexpectedErrors } from '@tollgate/rpc';
import { createLogger, runService } from '@tollgate/runtime';
import { configFromEnv } from './config.js';
import { migrateEdgeGateway, rotateSigningKey, startEdgeGateway } from './server.js';

const config = configFromEnv(process.env);
const logger = createLogger('edge-gateway', config.logLevel);
logUnexpectedErrors(logger);

if (process.argv.includes('--migrate-only')) {
  await migrateEdgeGateway(config);
  logger.info('the database is up to date');
} else if (process.argv.includes('--rotate-signing-key')) {
  logger.info(await rotateSigningKey(config), 'a new signing key is published and signs in ten minutes');
} else {
  runService({
    name: 'edge-gateway',
    logger,
    // The HTTP drain has a limit of its own; the rest closes in the time left.
    drainMs: config.http.drainMs + 5_000,
    start: () => startEdgeGateway(config, { logger }),
  });
}
