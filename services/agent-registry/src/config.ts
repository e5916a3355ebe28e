import { fields } from '@tollgate/runtime';
import { defineConfig } from '@tollgate/service';

/** The only reader of the environment in this service. @throws ConfigError naming every bad variable */
export const configFromEnv = defineConfig({
  name: 'agent-registry',
  usesEvents: true,
  fields: {
    /** How long an expired state handle may take up space. Too long: tables grow; no reader sees an expired handle. */
    STATE_SWEEP_INTERVAL: fields.durationMs().default(60_000),
  },
  toConfig: (env) => ({ stateSweepIntervalMs: env.STATE_SWEEP_INTERVAL }),
});

export type Config = ReturnType<typeof configFromEnv>;
