import { logUnexpectedErrors } from '@tollgate/rpc';
import { runMain } from '@tollgate/runtime';
import { configFromEnv } from './config.js';
import { grantCredit, migrateEdgeGateway, rotateSigningKey, startEdgeGateway } from './server.js';

await runMain({
  name: 'edge-gateway',
  readConfig: configFromEnv,
  migrate: migrateEdgeGateway,
  // The HTTP drain has a limit of its own; the rest closes in the time left.
  drainMs: (config) => config.http.drainMs + 5_000,
  start(config, logger) {
    logUnexpectedErrors(logger);
    return startEdgeGateway(config, { logger });
  },
  commands: {
    'rotate-signing-key': {
      summary: 'publishes a new signing key, which signs ten minutes later',
      run: async (config) => `published signing key ${(await rotateSigningKey(config)).kid}; it signs in ten minutes`,
    },
    'grant-credit': {
      arguments: 'EMAIL CENTS [CAUSE]',
      summary: 'adds to the prepaid balance of an owner, once per cause',
      run: (config, [email = '', cents = '', cause]) => grantCredit(config, { email, cents, cause }),
    },
  },
});
