// The system of deploy/compose.yaml on a real Docker engine, with its own project name and published port.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@tollgate/runtime/free-port';
import { type ApiClient, apiClient } from '@tollgate/testkit';
import { root } from '../chart.js';

const run = promisify(execFile);
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

export interface ComposeStack {
  /** Without a credential. */
  api: ApiClient;
  /** Runs a command in the container of a service; returns its standard output. */
  exec(service: string, ...command: string[]): Promise<string>;
  /** Kills the main process of a service from outside, as the kernel would. Docker then restarts the container. */
  killProcess(service: string): Promise<void>;
  /** Sends SIGTERM to services and waits for their ends; returns the exit code of each. */
  stop(services: readonly string[]): Promise<Record<string, number>>;
  down(): Promise<void>;
}

/** Starts every container and waits until all are healthy. `compose` is the path of Docker Compose. */
export async function startComposeStack(compose: string, settings: Record<string, string>): Promise<ComposeStack> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-compose-'));
  const port = await freePort();
  const { stdout: env } = await run(process.execPath, [`${root}deploy/make-env.mjs`]);
  const own = Object.entries({ ...settings, HTTP_PUBLISH: `127.0.0.1:${port}` });
  writeFileSync(join(folder, '.env'), `${env}\n${own.map(([name, value]) => `${name}=${value}`).join('\n')}\n`);
  const project = `tollgate-${process.pid}`;
  const call = async (...args: string[]) => {
    const common = [
      '--env-file',
      join(folder, '.env'),
      '--file',
      `${root}deploy/compose.yaml`,
      '--project-name',
      project,
    ];
    const { stdout } = await run(compose, [...common, ...args], { maxBuffer: OUTPUT_BYTES_MAX });
    return stdout;
  };
  const findContainer = async (service: string) => (await call('ps', '--quiet', service)).trim();
  const api = apiClient(`http://127.0.0.1:${port}/api/v1`);
  const down = async () => {
    await api.close();
    await call('down', '--volumes', '--timeout', '5');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await call('up', '--wait', '--no-build', '--pull', 'never');
  } catch (error) {
    const logs = await call('logs', '--no-color', '--tail', '30').catch(String);
    await down();
    throw new Error(`compose up failed:\n${logs}`, { cause: error });
  }
  return {
    api,
    exec: (service, ...command) => call('exec', '--no-TTY', service, ...command),
    async killProcess(service) {
      process.kill(Number(await inspect(await findContainer(service), '{{.State.Pid}}')), 'SIGKILL');
    },
    async stop(services) {
      const ids = await Promise.all(services.map(async (service) => [service, await findContainer(service)] as const));
      await call('stop', ...services);
      const exits = ids.map(
        async ([service, id]) => [service, Number(await inspect(id, '{{.State.ExitCode}}'))] as const,
      );
      return Object.fromEntries(await Promise.all(exits));
    },
    down,
  };
}

/** Runs the client of the engine that DOCKER_HOST names. */
export async function docker(...args: string[]): Promise<string> {
  const { stdout } = await run(process.env.DOCKER ?? 'docker', args, { maxBuffer: OUTPUT_BYTES_MAX });
  return stdout.trim();
}

function inspect(id: string, format: string): Promise<string> {
  return docker('inspect', '--format', format, id);
}
