import { hostname } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The settings of the environment. */
export interface CliConfig {
  url: string | undefined;
  credential: string | undefined;
  project: string | undefined;
  /** Of the file with the credentials. */
  folder: string;
  /** The name of this machine, which is shown where an owner approves a sign-in. */
  machine: string;
}

const MACHINE_CHARS_MAX = 64;

export function readConfig(env: NodeJS.ProcessEnv = process.env): CliConfig {
  // The XDG specification ignores relative paths.
  const { XDG_CONFIG_HOME = '', HOME = '.' } = env;
  const base = isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(HOME, '.config');
  return {
    url: env.TOLLGATE_URL || undefined,
    credential: env.TOLLGATE_API_KEY || undefined,
    project: env.TOLLGATE_PROJECT || undefined,
    folder: join(base, 'tollgate'),
    machine:
      hostname()
        .replace(/[^!-~]/g, '')
        .slice(0, MACHINE_CHARS_MAX) || 'a machine without a name',
  };
}
