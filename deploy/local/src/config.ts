// The only reader of the environment: what a developer may set for the local stack as a whole.

export interface LocalConfig {
  /** The folder of all data that is kept between starts; default: `.local` in the repository. */
  home: string | undefined;
  /** A PostgreSQL server to use instead of the embedded one. */
  databaseUrl: string | undefined;
  /** Preferred port of the HTTP API, as text. */
  httpPort: string;
  /** All variables, for the services and the payment processor: they win over the local defaults. */
  variables: NodeJS.ProcessEnv;
}

export function readLocalConfig(env: NodeJS.ProcessEnv = process.env): LocalConfig {
  return {
    home: env.TOLLGATE_HOME,
    databaseUrl: env.DATABASE_URL || undefined,
    httpPort: env.HTTP_PORT || '8080',
    variables: env,
  };
}
