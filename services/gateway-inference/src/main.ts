import { onUnexpectedError } from '@tollgate/rpc';
import { createLogger, runService } from '@tollgate/runtime';
import { configFromEnv } from './config.js';
import { startInference } from './server.js';

const config = configFromEnv(process.env);
const logger = createLogger('gateway-inference', config.logLevel);
onUnexpectedError((err) => logger.error({ err }, 'a call failed unexpectedly'));

if (process.argv.includes('--migrate-only')) logger.info('this service keeps nothing in a database');
else runService({ name: 'gateway-inference', logger, start: () => startInference(config, { logger }) });
