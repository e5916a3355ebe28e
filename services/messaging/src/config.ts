import { defineConfig } from '@tollgate/service';

/** The only reader of the environment in this service. @throws ConfigError naming every bad variable */
export const configFromEnv = defineConfig({ name: 'messaging', fields: {}, toConfig: () => ({}) });

export type Config = ReturnType<typeof configFromEnv>;
