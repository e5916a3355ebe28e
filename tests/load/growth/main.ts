// `npm run bench -- --growth`: cost of requests on an empty database, on a tenth of the rows, and on all of them.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, startEmbeddedPostgres } from '@tollgate/postgres';
import { startWebhookReceiver, type WebhookReceiver, waitUntil } from '@tollgate/testkit';
import { type System, startSystem } from '../../system/start-system.js';
import type { Tenant } from '../../system/tenant.js';
import { UNLIMITED } from '../data/main.js';
import { installRecorder, type RecordedPlan, startRecording, stopRecording } from '../data/recorded-plans.js';
import { reconnectTenant, SERVER_SETTINGS, seedDatabase } from '../data/seed.js';
import { ledgerLoad } from '../hot-account.js';
import { httpLoad, type LoadTarget } from '../http-load.js';
import { processUsage } from '../process-usage.js';
import { postmasterPid } from '../servers.js';
import { growthTables, type SizeResult } from './growth-tables.js';
import { insertOpenWork, type OpenWork } from './open-work.js';
import { listRequests, type MeasuredRequest } from './requests.js';

const CONNECTIONS = 16;
const WARM_UP_MS = 1_000;
const DRAIN_MS = 60_000;
/** Requests of each kind whose statements are explained. */
const EXPLAINED_REQUESTS = 3;

export interface GrowthSizes extends OpenWork {
  /** Transfers, and as many holds. */
  rows: number;
  customers: number;
}

interface GrowthOptions {
  durationMs: number;
  say: (line: string) => void;
}

/** Returns a table of requests and one of the ledger's statements; each line compares the sizes. */
export async function growthTable(sizes: GrowthSizes, options: GrowthOptions): Promise<string> {
  installRecorder(new Set());
  const results: SizeResult[] = [];
  for (const share of [0, 0.1, 1]) {
    const size = scale(sizes, share);
    options.say(
      `${size.rows} transfers, ${size.customers} customers, ${size.projects} projects, ${size.runs} open runs`,
    );
    results.push({ rows: size.rows, ...(await measureSize(size, options)) });
  }
  return growthTables(results);
}

function scale(sizes: GrowthSizes, share: number): GrowthSizes {
  const entries = Object.entries(sizes).map(([name, count]) => [name, Math.round(count * share)]);
  return Object.fromEntries(entries) as unknown as GrowthSizes;
}

async function measureSize(size: GrowthSizes, options: GrowthOptions): Promise<Omit<SizeResult, 'rows'>> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
  chmodSync(folder, 0o755); // the server may run as another account
  const server = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    durable: false,
    settings: SERVER_SETTINGS,
  });
  const receiver = await startWebhookReceiver();
  const env = { ...UNLIMITED, IMAGE_STORAGE_DIR: join(folder, 'images') };
  try {
    const tenant = await fill(server.url, size, { env, receiver, say: options.say });
    const database = { url: server.url, drop: async () => undefined };
    const system = await startSystem({ mode: 'one process', database, env });
    try {
      return await measureSystem(system, await reconnectTenant(system, tenant), receiver, options);
    } finally {
      await system.stop();
    }
  } finally {
    await receiver.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds the rows as tables that survive a crash, as in production, and writes them to disk before anything is measured. */
async function fill(
  url: string,
  { rows, customers, ...open }: GrowthSizes,
  options: { env: NodeJS.ProcessEnv; receiver: WebhookReceiver; say: (line: string) => void },
): Promise<Tenant> {
  const perCustomer = ['customers', 'subscriptions', 'customer_identities', 'accounts', 'usage_thresholds'];
  const counts = Object.fromEntries(perCustomer.map((name) => [`billing_ledger.${name}`, customers]));
  const tenant = await seedDatabase({ url, ...options, rows, counts, isKept: true });
  const { client, end } = await createClient({
    url,
    schema: 'public',
    applicationName: 'bench',
    statementTimeoutMs: 0,
  });
  await insertOpenWork(client, open);
  await client.query('CHECKPOINT');
  await end();
  return tenant;
}

async function measureSystem(
  system: System,
  tenant: Tenant,
  receiver: WebhookReceiver,
  { durationMs, say }: GrowthOptions,
): Promise<Omit<SizeResult, 'rows'>> {
  const pid = await postmasterPid(system.databaseUrl);
  const costs: SizeResult['costs'] = [];
  const requests = listRequests(system, tenant, receiver);
  for (const request of requests) {
    costs.push(await measureRequest(request, pid, durationMs));
    say(`  ${JSON.stringify(costs.at(-1))}`);
  }
  for (const accounts of [1, 1_000]) {
    const load = { accounts, clients: 64, durationMs, schema: 'billing_ledger' };
    const { cyclesPerSecond, admitP50Ms, admitP99Ms, settleP50Ms, settleP99Ms, postgresMs } = await ledgerLoad(
      system.databaseUrl,
      load,
    );
    costs.push({
      name: `admit + settle, ${accounts} account${accounts === 1 ? '' : 's'}`,
      perSecond: cyclesPerSecond,
      p50Ms: admitP50Ms + settleP50Ms,
      p99Ms: admitP99Ms + settleP99Ms,
      postgresMs,
      errors: 0,
    });
    say(`  ${JSON.stringify(costs.at(-1))}`);
  }
  return { costs, plans: await explainStatements(requests) };
}

async function measureRequest(
  { name, target, isDone }: MeasuredRequest,
  pid: number,
  durationMs: number,
): Promise<SizeResult['costs'][number]> {
  const drain = async () => {
    if (isDone) await waitUntil(isDone, { what: `the end of ${name}`, timeoutMs: DRAIN_MS });
  };
  await httpLoad([target], { connections: CONNECTIONS, durationMs: WARM_UP_MS, warmUpMs: 0 });
  await drain();
  const before = processUsage(pid).cpuMs;
  const load = await httpLoad([target], { connections: CONNECTIONS, durationMs, warmUpMs: 0 });
  await drain();
  const postgresMs = (processUsage(pid).cpuMs - before) / Math.max(1, load.requests);
  const { perSecond, p50Ms, p99Ms, errors } = load;
  return { name, perSecond, p50Ms, p99Ms, postgresMs, errors };
}

/** Sends a few requests of each kind while the statements of all services are explained. */
async function explainStatements(requests: readonly MeasuredRequest[]): Promise<RecordedPlan[]> {
  startRecording();
  for (const { target, isDone } of requests) {
    for (let i = 0; i < EXPLAINED_REQUESTS; i++) await send(target);
    if (isDone) await waitUntil(isDone, { what: 'the end of the requests', timeoutMs: DRAIN_MS });
  }
  return stopRecording();
}

async function send({ host, port, path, method = 'POST', headers, body }: LoadTarget): Promise<void> {
  const text = typeof body === 'function' ? body() : body;
  const response = await fetch(`http://${host}:${port}${path}`, {
    method,
    headers,
    ...(method === 'POST' && { body: text }),
    signal: AbortSignal.timeout(DRAIN_MS),
  });
  await response.arrayBuffer();
}
