import { logUnexpectedErrors } from '@tollgate/rpc';
import { runMain } from '@tollgate/runtime';
import { configFromEnv } from './config.js';
import { migrateWorkflow, startWorkflow } from './server.js';

await runMain({
  name: 'workflow-engine',
  readConfig: configFromEnv,
  migrate: migrateWorkflow,
  start(config, logger) {
    logUnexpectedErrors(logger);
    return startWorkflow(config, { logger });
  },
});
