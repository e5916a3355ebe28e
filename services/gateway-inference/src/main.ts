import { logUnexpectedErrors } from '@tollgate/rpc';
import { runMain } from '@tollgate/runtime';
import { configFromEnv } from './config.js';
import { migrateInference, startInference } from './server.js';

await runMain({
  name: 'gateway-inference',
  readConfig: configFromEnv,
  migrate: migrateInference,
  start(config, logger) {
    logUnexpectedErrors(logger);
    return startInference(config, { logger });
  },
});
