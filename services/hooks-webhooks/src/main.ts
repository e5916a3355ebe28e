import { logUnexpectedErrors } from '@tollgate/rpc';
import { runMain } from '@tollgate/runtime';
import { configFromEnv } from './config.js';
import { migrateHooks, startHooks } from './server.js';

await runMain({
  name: 'hooks-webhooks',
  readConfig: configFromEnv,
  migrate: migrateHooks,
  start(config, logger) {
    logUnexpectedErrors(logger);
    return startHooks(config, { logger });
  },
});
