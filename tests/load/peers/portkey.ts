import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@tollgate/runtime/free-port';
import { PEER_CACHE, type Peer, startProgram } from './program.js';

const VERSION = '1.15.2';

/** Portkey's gateway, a peer in the same language that bills nothing; installed on first use, its framework pinned. */
export async function startPortkey(): Promise<Peer> {
  const folder = join(PEER_CACHE, 'portkey');
  if (!existsSync(join(folder, 'node_modules/@portkey-ai/gateway'))) {
    mkdirSync(folder, { recursive: true });
    const manifest = {
      private: true,
      dependencies: { '@portkey-ai/gateway': VERSION },
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
  const args = [main, '--headless', `--port=${port}`];
  return startProgram(process.execPath, args, { port, env: { NODE_ENV: 'production' } });
}
