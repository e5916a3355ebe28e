import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@tollgate/runtime/free-port';
import { apiClient, type Json, waitUntil } from '@tollgate/testkit';
import type { LoadTarget } from './http-load.js';
import { postmasterPid } from './servers.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** A model that the gateway's configured upstream answers. */
export const BENCH_MODEL = 'bench/upstream';
const CUSTOMERS = 16;

/** Starts the whole gateway with all features, as `npm start` does, in front of the instant upstream. */
export interface Gateway {
  /** Process ids by name; PostgreSQL's is its postmaster. */
  pids: Record<string, number>;
  /** The metrics page of the single process, or of the edge. */
  metricsUrl: string;
  targets(stream: boolean): LoadTarget[];
  /** The same question to `POST /responses`. */
  responsesTargets(): LoadTarget[];
  verify(): Promise<Json>;
  stop(): Promise<void>;
}

export async function startGateway(
  upstream: string,
  isSeparate: boolean,
  extra: { env?: NodeJS.ProcessEnv; nodeArgs?: readonly string[] } = {},
): Promise<Gateway> {
  const home = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
  chmodSync(home, 0o755); // as root the database runs under another account, which has to enter
  const catalogFile = join(home, 'models.json');
  writeFileSync(catalogFile, JSON.stringify({ models: [benchModel] }));
  const port = await freePort();
  const args = ['deploy/local/dist/main.js', '--port', String(port), ...(isSeparate ? ['--separate'] : [])];
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    TOLLGATE_HOME: home,
    OPENAI_BASE_URL: upstream,
    OPENAI_API_KEY: 'bench',
    MODEL_CATALOG_FILE: catalogFile,
    RATE_LIMIT_SECRET_KEY_PER_MINUTE: '100000000',
    RATE_LIMIT_CUSTOMER_PER_MINUTE: '100000000',
    ...extra.env,
  };
  // BENCH_PROFILE_DIR: a CPU profile of every process, for a profiler to open.
  const profileDir = process.env.BENCH_PROFILE_DIR;
  const nodeArgs = profileDir ? ['--cpu-prof', `--cpu-prof-dir=${profileDir}`] : [];
  const child = spawn(process.execPath, [...nodeArgs, ...(extra.nodeArgs ?? []), ...args], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const file = join(home, 'tollgate.json');
  const read = (): Json => JSON.parse(readFileSync(file, 'utf8'));
  await waitUntil(() => child.exitCode !== null || isThere(read), { what: 'the gateway to start', timeoutMs: 120_000 });
  if (child.exitCode !== null) throw new Error('the gateway did not start');
  const facts = read();
  const tokens = await customers(facts);
  const names = isSeparate ? facts.services : { 'all services': { pid: child.pid } };
  const pids = Object.fromEntries(Object.entries<{ pid: number }>(names).map(([name, place]) => [name, place.pid]));
  return {
    pids: { ...pids, postgres: await postmasterPid(facts.postgres_url) },
    metricsUrl: `${facts.services['edge-gateway'].health}/metrics`,
    targets: (stream) => tokens.map((token) => chatTarget(port, { authorization: `Bearer ${token}` }, stream)),
    responsesTargets: () => tokens.map((token) => responsesTarget(port, { authorization: `Bearer ${token}` })),
    verify: async () => (await apiClient(facts.base_url, facts.owner.access_token).get('/account/ledger/verify')).body,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const SYSTEM = 'You are a helpful assistant that answers briefly.';
const QUESTION = 'Explain in two sentences why the sky is blue and why sunsets look red to people on the ground.';

/** The same chat completion for the gateway and its peers. */
export function chatTarget(port: number, headers: Record<string, string>, stream: boolean): LoadTarget {
  const messages = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: QUESTION },
  ];
  return {
    host: '127.0.0.1',
    port,
    path: '/v1/chat/completions',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      model: BENCH_MODEL,
      max_tokens: 256,
      messages,
      ...(stream && { stream: true, stream_options: { include_usage: true } }),
    }),
  };
}

function responsesTarget(port: number, headers: Record<string, string>): LoadTarget {
  const message = (role: string, text: string) => ({ type: 'message', role, content: [{ type: 'text', text }] });
  return {
    host: '127.0.0.1',
    port,
    path: '/api/v1/responses',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      model: BENCH_MODEL,
      max_output_tokens: 256,
      input: [message('system', SYSTEM), message('user', QUESTION)],
    }),
  };
}

const benchModel = {
  model_id: BENCH_MODEL,
  provider: 'openai',
  description: 'The instant upstream',
  capabilities: ['text', 'vision'],
  context_window: 128_000,
  max_output_tokens: 16_384,
  input_cost_per_million_cents: 15,
  output_cost_per_million_cents: 60,
  routes: [{ provider: 'openai', upstream_model: 'gpt-4o-mini' }],
};

/** Customers on a free tier without a limit: every request is held and charged for customer and owner. */
async function customers(facts: Json): Promise<string[]> {
  const owner = apiClient(facts.base_url, facts.owner.access_token);
  const api = owner.as(facts.secret_key);
  const tier = {
    tier_code: 'bench',
    display_name: 'Bench',
    rate_limit_per_minute: 1_000_000,
    models: [{ model_id: BENCH_MODEL }],
  };
  await owner.post(`/projects/${facts.project_id}/tiers`, tier);
  const tokens: string[] = [];
  for (let i = 0; i < CUSTOMERS; i++) {
    const { customer } = (await api.put('/customers', { external_id: `bench-${i}`, email: 'bench@example.com' })).body;
    const minted = await api.post('/auth/customer-token', { customer_id: customer.id, tier_code: 'bench' });
    if (minted.status !== 200) throw new Error(minted.text);
    tokens.push(minted.body.token);
  }
  await owner.close();
  return tokens;
}

function isThere(read: () => unknown): boolean {
  try {
    return Boolean(read());
  } catch {
    return false;
  }
}
