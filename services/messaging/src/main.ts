import { logUnexpectedErrors } from '@tollgate/rpc';
import { runMain } from '@tollgate/runtime';
import { configFromEnv } from './config.js';
import { migrateMessaging, startMessaging } from './server.js';

await runMain({
  name: 'messaging',
  readConfig: configFromEnv,
  migrate: migrateMessaging,
  start(config, logger) {
    logUnexpectedErrors(logger);
    return startMessaging(config, { logger });
  },
});
