import { fields } from '@tollgate/runtime';
import { defineConfig } from '@tollgate/service';

/** The only reader of the environment in this service. @throws ConfigError naming every bad variable */
export const configFromEnv = defineConfig({
  name: 'messaging',
  fields: {
    /** How long messages are kept, read or not. Too short: agents that are rarely run miss their mail. */
    MESSAGE_RETENTION_DAYS: fields.integer(1, 3_650).default(400),
  },
  toConfig: (env) => ({ messageRetentionDays: env.MESSAGE_RETENTION_DAYS }),
});

export type Config = ReturnType<typeof configFromEnv>;
