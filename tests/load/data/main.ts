// `npm run bench -- --data`: the plan and time of every statement of the system on tables of a year's size, and the claims of all queues.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@tollgate/postgres';
import { startWebhookReceiver } from '@tollgate/testkit';
import { ask, listOperations } from '../../system/api-document.js';
import { type System, startSystem } from '../../system/start-system.js';
import type { Tenant } from '../../system/tenant.js';
import { table } from '../table.js';
import { claimTable } from './claims.js';
import { GROWING_TABLES } from './growth.js';
import { installRecorder, type RecordedPlan, startRecording, stopRecording } from './recorded-plans.js';
import { reconnectTenant, SERVER_SETTINGS, seedDatabase } from './seed.js';

const SLOW_MS = 20;
/** Time for the first pass of the workers, some of which wait for each other. */
const WORKERS_MS = 5_000;
/** Settings under which a benchmark's credentials meet no rate limit. */
export const UNLIMITED = {
  RATE_LIMIT_SECRET_KEY_PER_MINUTE: '1000000',
  RATE_LIMIT_CUSTOMER_PER_MINUTE: '1000000',
  RATE_LIMIT_OWNER_PER_MINUTE: '1000000',
  RATE_LIMIT_PUBLISHABLE_KEY_PER_MINUTE: '1000000',
  LOG_LEVEL: 'silent',
  RESPONSE_STORAGE: '1', // a tenant has stored responses
};

/** Returns a table of all statements, those that read many rows of a growing table first, then by time. */
export async function dataTable(rows: number, say: (line: string) => void): Promise<string> {
  installRecorder(GROWING_TABLES);
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
  chmodSync(folder, 0o755); // the server may run as another account
  const images = mkdtempSync(join(tmpdir(), 'tollgate-bench-images-'));
  const dataDir = join(folder, 'postgres');
  const server = await startEmbeddedPostgres({ dataDir, durable: false, settings: SERVER_SETTINGS });
  const receiver = await startWebhookReceiver();
  const env = { ...UNLIMITED, IMAGE_STORAGE_DIR: images };
  try {
    const tenant = await seedDatabase({ url: server.url, env, receiver, rows, say });
    startRecording();
    const database = { url: server.url, drop: async () => undefined };
    const system = await startSystem({ mode: 'one process', database, env });
    try {
      await callEverything(system, await reconnectTenant(system, tenant), say);
      await new Promise((resolve) => setTimeout(resolve, WORKERS_MS));
    } finally {
      await system.stop();
    }
    const plans = planTable(stopRecording());
    return plans + (await claimTable(server.url, say));
  } finally {
    await receiver.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
    rmSync(images, { recursive: true, force: true });
  }
}

/** Lists everything, from the start and from a late page, and uses every hot path. */
async function callEverything({ anonymous }: System, tenant: Tenant, say: (line: string) => void): Promise<void> {
  const document = (await anonymous.get('/openapi.json')).body;
  const reads = listOperations(document).filter(({ method, accepts }) => method === 'GET' && accepts.length > 0);
  const failed: string[] = [];
  let answered = 0;
  let asked = 0;
  for (const operation of reads) {
    for (const kind of operation.accepts) {
      const page = { ...operation, requiredQuery: [], path: `${operation.path}?limit=100&offset=400` };
      for (const it of 'offset' in operation.querySchemas ? [operation, page] : [operation]) {
        const { status, text } = await ask(tenant.as[kind], it, tenant.values);
        asked += 1;
        if (status < 300) answered += 1;
        if (status === 401 || status >= 500)
          failed.push(`  ${status} GET ${it.path} as ${kind}: ${text.slice(0, 300)}`);
      }
    }
  }
  const { api } = tenant.project;
  const mine = tenant.customer.api;
  const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'hello' }] }];
  for (let i = 0; i < 5; i++) {
    await mine.post('/responses', { input });
    await api.post('/responses', { model: 'sandbox/echo-1', input }, { 'Idempotency-Key': `bench-${i}` });
    await mine.post('/messages', { to: `agent:api@${tenant.project.id}`, subject: 's', body: {} });
    await api.get(`/messages?to=agent:a1@${tenant.project.id}&unread=true`);
  }
  for (const group of ['day', 'model', 'customer', 'key']) {
    await tenant.project.owner.get(`/account/usage?group_by=${group}&from=2020-01-01`);
  }
  const counts = `  ${reads.length} reads: ${asked} requests, ${answered} answered, ${failed.length} failed`;
  say([counts, ...failed].join('\n'));
}

function planTable(plans: RecordedPlan[]): string {
  const ordered = plans.toSorted((a, b) => b.scans.length - a.scans.length || b.ms - a.ms);
  const lines = ordered.map(({ statement, ms, buffers, scans, summary, error }) => {
    const flag = scans.length > 0 ? `READS MANY: ${scans.join(', ')}` : ms > SLOW_MS ? 'slow' : '';
    const text = statement.slice(0, 140).replaceAll('|', '\\|');
    return [flag, ms.toFixed(2), buffers, error ?? summary.slice(0, 160), text].join(' | ');
  });
  const scanning = plans.filter(({ scans }) => scans.length > 0).length;
  const head = 'flag | ms | buffers | plan | statement';
  return `${table(head, lines)}\n${plans.length} statements, ${scanning} scan a growing table or sort many rows\n`;
}
