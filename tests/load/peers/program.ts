import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@tollgate/runtime/free-port';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Peer {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/** Starts a node program and waits until it accepts connections. */
export async function startProgram(args: string[], port: number, env: NodeJS.ProcessEnv = {}): Promise<Peer> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const deadline = Date.now() + 30_000;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode}`);
    const isUp = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (isUp) break;
    if (Date.now() > deadline) throw new Error(`${args.join(' ')} did not listen on ${port}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { port, pid: child.pid ?? 0, stop: () => end(child) };
}

export async function startFloor(upstream: string): Promise<Peer> {
  const port = await freePort();
  return startProgram(['--import', 'tsx', '--conditions=source', 'tests/load/floor.ts', String(port), upstream], port);
}

/** A receiver of webhooks. */
export async function startSink(): Promise<Peer> {
  const port = await freePort();
  return startProgram(['--import', 'tsx', '--conditions=source', 'tests/load/sink.ts', String(port)], port);
}

/** Portkey's gateway, a peer in the same language that bills nothing; installed on first use, its framework pinned. */
export async function startPortkey(): Promise<Peer> {
  const folder = join(ROOT, '.cache', 'portkey');
  if (!existsSync(join(folder, 'node_modules/@portkey-ai/gateway'))) {
    mkdirSync(folder, { recursive: true });
    const manifest = {
      private: true,
      dependencies: { '@portkey-ai/gateway': '1.15.2' },
      overrides: { hono: '4.9.7', '@hono/node-server': '1.13.8' },
    };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    const installed = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], {
      cwd: folder,
      stdio: 'inherit',
    });
    if (installed.status !== 0) throw new Error('Portkey could not be installed');
  }
  const port = await freePort();
  const main = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  return startProgram([main, '--headless', `--port=${port}`], port, { NODE_ENV: 'production' });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(timer);
}
