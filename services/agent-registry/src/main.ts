import { logUnexpectedErrors } from '@tollgate/rpc';
import { runMain } from '@tollgate/runtime';
import { configFromEnv } from './config.js';
import { migrateAgentRegistry, startAgentRegistry } from './server.js';

await runMain({
  name: 'agent-registry',
  readConfig: configFromEnv,
  migrate: migrateAgentRegistry,
  start(config, logger) {
    logUnexpectedErrors(logger);
    return startAgentRegistry(config, { logger });
  },
});
