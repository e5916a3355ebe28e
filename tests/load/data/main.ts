// `npm run bench -- --data`: the plan and time of every statement of the system on tables of a year's size.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, startEmbeddedPostgres } from '@tollgate/postgres';
import { startWebhookReceiver } from '@tollgate/testkit';
import { ask, listOperations } from '../../system/api-document.js';
import { type System, startSystem } from '../../system/start-system.js';
import { makeTenant, type Tenant } from '../../system/tenant.js';
import { table } from '../table.js';
import { installRecorder, type RecordedPlan, startRecording, stopRecording } from './recorded-plans.js';
import { buildRows, GROWING_TABLES, type Subject } from './rows.js';

const SLOW_MS = 20;
/** Time for the first pass of the workers, some of which wait for each other. */
const WORKERS_MS = 5_000;
const UNLIMITED = {
  RATE_LIMIT_SECRET_KEY_PER_MINUTE: '1000000',
  RATE_LIMIT_CUSTOMER_PER_MINUTE: '1000000',
  RATE_LIMIT_OWNER_PER_MINUTE: '1000000',
  RATE_LIMIT_PUBLISHABLE_KEY_PER_MINUTE: '1000000',
  LOG_LEVEL: 'silent',
};

/** Returns a table of all statements, those that read many rows of a growing table first, then by time. */
export async function dataTable(rows: number, say: (line: string) => void): Promise<string> {
  installRecorder(GROWING_TABLES);
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
  const images = mkdtempSync(join(tmpdir(), 'tollgate-bench-images-'));
  const settings = { shared_buffers: '256MB', max_wal_size: '4GB', maintenance_work_mem: '256MB' };
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), durable: false, settings });
  const database = { url: server.url, drop: async () => undefined };
  const receiver = await startWebhookReceiver();
  const env = { ...UNLIMITED, IMAGE_STORAGE_DIR: images };
  const system = await startSystem({ mode: 'one process', database, env });
  try {
    const tenant = await makeTenant(system, receiver);
    const subject = await toSubject(system, tenant);
    const { client, end } = await createClient({
      url: server.url,
      schema: 'public',
      applicationName: 'bench',
      statementTimeoutMs: 0,
    });
    await buildRows(client, subject, rows, say);
    await end();
    startRecording();
    await callEverything(system, tenant, say);
    // A second set of workers: each takes its first pass over the large tables.
    const second = await startSystem({ mode: 'one process', database, env });
    await new Promise((resolve) => setTimeout(resolve, WORKERS_MS));
    await second.stop();
    return planTable(stopRecording());
  } finally {
    await system.stop();
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
  for (const operation of reads) {
    for (const kind of operation.accepts) {
      const page = { ...operation, requiredQuery: [], path: `${operation.path}?limit=100&offset=400` };
      for (const it of 'offset' in operation.querySchemas ? [operation, page] : [operation]) {
        const { status, text } = await ask(tenant.as[kind], it, tenant.values);
        if (status >= 500) failed.push(`  ${status} GET ${it.path} as ${kind}: ${text.slice(0, 300)}`);
      }
    }
  }
  const { api } = tenant.project;
  const mine = tenant.customer.api;
  const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'hello' }] }];
  for (let i = 0; i < 5; i++) {
    await mine.post('/responses', { input });
    await api.post('/responses', { model: 'sandbox/echo-1', input }, { 'Idempotency-Key': `bench-${i}` });
    await mine.post('/messages', { to: `agent:a1@${tenant.project.id}`, subject: 's', body: {} });
    await api.get(`/messages?to=agent:a1@${tenant.project.id}&unread=true`);
  }
  for (const group of ['day', 'model', 'customer', 'key']) {
    await tenant.project.owner.get(`/account/usage?group_by=${group}&from=2020-01-01`);
  }
  say([`  ${reads.length} reads, ${failed.length} failed`, ...failed].join('\n'));
}

async function toSubject(system: System, { project, customer, values }: Tenant): Promise<Subject> {
  const account = await system.query<{ account_id: string }>(
    'SELECT account_id FROM edge_gateway.projects WHERE id = $1',
    [project.id],
  );
  const accountId = account[0]?.account_id as string;
  const ledgerAccount = async (kind: string, ref: string) => {
    const found = await system.query<{ id: string }>(
      'SELECT id FROM billing_ledger.accounts WHERE kind = $1 AND ref_id = $2',
      [kind, ref],
    );
    return BigInt(found[0]?.id ?? 0);
  };
  const named = (name: string) => values[name]?.value as string;
  return {
    accountId,
    projectId: project.id,
    customerId: customer.id,
    walletId: await ledgerAccount('wallet', customer.id),
    ownerBalanceId: await ledgerAccount('owner', accountId),
    webhookId: named('webhook_id'),
    hookId: named('hook_id'),
    sessionId: named('sessions.id'),
    runId: named('runs.id'),
  };
}

function planTable(plans: RecordedPlan[]): string {
  const ordered = plans.sort((a, b) => b.scans.length - a.scans.length || b.ms - a.ms);
  const lines = ordered.map(({ statement, ms, buffers, scans, summary, error }) => {
    const flag = scans.length > 0 ? `READS MANY: ${scans.join(', ')}` : ms > SLOW_MS ? 'slow' : '';
    const text = statement.slice(0, 140).replaceAll('|', '\\|');
    return [flag, ms.toFixed(2), buffers, error ?? summary.slice(0, 160), text].join(' | ');
  });
  const scanning = plans.filter(({ scans }) => scans.length > 0).length;
  const head = 'flag | ms | buffers | plan | statement';
  return `${table(head, lines)}\n${plans.length} statements, ${scanning} scan a growing table or sort many rows\n`;
}
