import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@tollgate/runtime/free-port';
import { PEER_CACHE, type Peer, startProgram } from './program.js';

const INSTALLER_VERSION = '1.6.3';
const VERSION = 'v1.3.9';
const FOLDER = join(PEER_CACHE, 'bifrost');
const PROGRAM = join(FOLDER, 'bifrost', VERSION, 'bin', 'bifrost-http-0');
/** A model with a known price, so that each request has a cost. */
export const BIFROST_MODEL = 'openai/gpt-4o-mini';

/** Bifrost with its log of requests and costs. Its npm package is an installer that downloads the program. */
export async function startBifrost(upstream: string): Promise<Peer> {
  install();
  const port = await freePort();
  const data = join(FOLDER, `data-${port}`);
  mkdirSync(data, { recursive: true });
  const key = { name: 'bench', value: 'bench', models: ['*'], weight: 1 };
  const config = {
    client: { drop_excess_requests: false, enable_logging: true },
    providers: { openai: { keys: [key], network_config: { base_url: upstream.replace(/\/v1\/?$/, '') } } },
    config_store: { enabled: false },
    logs_store: { enabled: true, type: 'sqlite', config: { path: join(data, 'logs.db') } },
  };
  writeFileSync(join(data, 'config.json'), JSON.stringify(config));
  const args = ['-app-dir', data, '-host', '127.0.0.1', '-port', String(port), '-log-level', 'error'];
  return startProgram(PROGRAM, args, { port });
}

function install(): void {
  if (existsSync(PROGRAM)) return;
  mkdirSync(FOLDER, { recursive: true });
  const manifest = { private: true, dependencies: { '@maximhq/bifrost': INSTALLER_VERSION } };
  writeFileSync(join(FOLDER, 'package.json'), JSON.stringify(manifest));
  const npm = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const installed = spawnSync('npm', npm, { cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'] });
  if (installed.status !== 0) throw new Error(`npm has no @maximhq/bifrost ${INSTALLER_VERSION}`);
  // Downloads the program, and ends after its help.
  const installer = join(FOLDER, 'node_modules/@maximhq/bifrost/bin.js');
  spawnSync(process.execPath, [installer, '--transport-version', VERSION, '-help'], {
    env: { ...process.env, XDG_CACHE_HOME: FOLDER },
    stdio: 'ignore',
    timeout: 120_000,
  });
  if (!existsSync(PROGRAM)) throw new Error(`its installer could not download ${VERSION} from downloads.getmaxim.ai`);
}
