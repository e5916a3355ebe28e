import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Runs a command of the workspace; a failure includes its whole output. */
export function runTool(
  command: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): { status: number; output: string } {
  const cwd = options.cwd ?? ROOT;
  const result = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: `${cwd}/node_modules/.bin:${ROOT}node_modules/.bin:${process.env.PATH}`,
      NODE_OPTIONS: '',
      FORCE_COLOR: '0',
      ...options.env,
    },
    maxBuffer: 64 * 1024 * 1024,
  });
  return {
    status: result.status ?? 1,
    output: `${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}`,
  };
}
