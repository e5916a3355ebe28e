import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@tollgate/runtime/free-port';
import { BENCH_MODEL } from '../gateway.js';
import { PEER_CACHE, type Peer, startProgram } from './program.js';

const VERSION = '1.90.7';
const PRISMA_VERSION = '0.15.0';
const FOLDER = join(PEER_CACHE, `litellm-${VERSION}`);
/** A model with a known price, so that each request has a cost. */
const PRICED_MODEL = 'openai/gpt-4o-mini';
export const LITELLM_KEY = 'sk-bench';

export interface Litellm extends Peer {
  /** Whether the cost of each request is stored. */
  storesCosts: boolean;
}

/**
 * LiteLLM's proxy with one worker, from PyPI in a virtual environment. Its client of the database downloads a program when it
 * is generated; if that fails, LiteLLM computes the cost of each request and stores none.
 */
export async function startLitellm(upstream: string, databaseUrl: string): Promise<Litellm> {
  install();
  const storesCosts = existsSync(join(FOLDER, 'client-generated'));
  const port = await freePort();
  const model = {
    model_name: BENCH_MODEL,
    litellm_params: { model: PRICED_MODEL, api_base: upstream, api_key: 'bench' },
  };
  const config = join(FOLDER, `config-${port}.json`);
  // JSON is YAML.
  writeFileSync(config, JSON.stringify({ model_list: [model], general_settings: { master_key: LITELLM_KEY } }));
  const args = ['--config', config, '--host', '127.0.0.1', '--port', String(port), '--num_workers', '1'];
  const env = {
    ...ENVIRONMENT,
    LITELLM_MODE: 'PRODUCTION',
    LITELLM_LOG: 'ERROR',
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    DATABASE_URL: storesCosts ? databaseUrl : undefined,
  };
  const peer = await startProgram(join(FOLDER, 'bin/litellm'), args, { port, env, timeoutMs: 180_000 });
  return { ...peer, storesCosts };
}

/** The programs of the virtual environment come first, for `prisma` looks for its generator in the path. */
const ENVIRONMENT = {
  PATH: `${join(FOLDER, 'bin')}:${process.env.PATH}`,
  PRISMA_BINARY_CACHE_DIR: join(FOLDER, 'prisma'),
};

function install(): void {
  if (existsSync(join(FOLDER, 'installed'))) return;
  mkdirSync(FOLDER, { recursive: true });
  run('python3', ['-m', 'venv', FOLDER]);
  const packages = [`litellm[proxy]==${VERSION}`, `prisma==${PRISMA_VERSION}`];
  run(join(FOLDER, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages]);
  const find = 'import importlib.util as u; print(u.find_spec("litellm").submodule_search_locations[0])';
  const folder = run(join(FOLDER, 'bin/python'), ['-c', find]).trim();
  const generated = spawnSync(
    join(FOLDER, 'bin/prisma'),
    ['generate', '--schema', join(folder, 'proxy/schema.prisma')],
    {
      env: { ...process.env, ...ENVIRONMENT },
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: 120_000,
    },
  );
  if (generated.status === 0) writeFileSync(join(FOLDER, 'client-generated'), '');
  writeFileSync(join(FOLDER, 'installed'), '');
}

function run(command: string, args: readonly string[]): string {
  const { status, stdout, error } = spawnSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? `exit code ${status}`}`);
  return stdout;
}
