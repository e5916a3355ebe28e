// A database of a year's size, with one owner that can be asked about everything.
import { createClient } from '@tollgate/postgres';
import type { WebhookReceiver } from '@tollgate/testkit';
import { must, type System, startSystem } from '../../system/start-system.js';
import { makeTenant, type Tenant, toCredentials } from '../../system/tenant.js';
import type { Subject } from './growth.js';
import { type BuildOptions, buildRows } from './rows.js';

/** Settings of a server that builds many rows and is then thrown away. */
export const SERVER_SETTINGS = {
  shared_buffers: '1GB',
  max_wal_size: '4GB',
  maintenance_work_mem: '512MB',
  autovacuum: 'off', // the rows are vacuumed and analyzed table by table
  wal_level: 'minimal',
  max_wal_senders: '0',
};

const CLIENTS = 2;

interface SeedOptions extends BuildOptions {
  url: string;
  env: NodeJS.ProcessEnv;
  receiver: WebhookReceiver;
}

/** Lets the services make their tables and an owner, ends them, and builds the rows. */
export async function seedDatabase({ url, env, receiver, ...rest }: SeedOptions): Promise<Tenant> {
  const database = { url, drop: async () => undefined };
  const system = await startSystem({ mode: 'one process', database, env: { ACCESS_TOKEN_TTL: '12h', ...env } });
  let tenant: Tenant;
  let subject: Subject;
  try {
    tenant = await makeTenant(system, receiver);
    subject = await toSubject(system, tenant);
  } finally {
    await system.stop();
  }
  const connections = await Promise.all(
    Array.from({ length: CLIENTS }, () =>
      createClient({ url, schema: 'public', applicationName: 'bench', statementTimeoutMs: 0 }),
    ),
  );
  try {
    const clients = connections.map(({ client }) => client);
    await buildRows(clients, subject, rest);
  } finally {
    for (const { end } of connections) await end();
  }
  return tenant;
}

/** The same owner and customer at a system that was started later on the same database. */
export async function reconnectTenant({ anonymous }: System, tenant: Tenant): Promise<Tenant> {
  const { ownerToken, secretKey, publishableKey } = tenant.project;
  const api = anonymous.as(secretKey);
  const [owner, publishable] = [anonymous.as(ownerToken), anonymous.as(publishableKey)];
  const project = { ...tenant.project, owner, api, publishable };
  const { token } = must(await api.post('/auth/customer-token', { customer_id: tenant.customer.id }), 200);
  const customer = { ...tenant.customer, token, api: anonymous.as(token) };
  return { ...tenant, project, customer, as: toCredentials(project, customer) };
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
