import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import type { GrantCreditRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type ServiceName, type Stack, type StackOptions, startOneProcess, startSeparate } from '@tollgate/local';
import { centsToMicrocents } from '@tollgate/money';
import { startCall } from '@tollgate/rpc';
import {
  type ApiClient,
  apiClient,
  type FakeProvider,
  type Json,
  type PaymentProcessor,
  paygoTierBody,
  startFakeProvider,
  startPaymentProcessor,
  tierBody,
  waitUntil,
} from '@tollgate/testkit';
import pg from 'pg';
import { migratedDatabase } from './migrated-database.js';

/** The two ways to run the system. */
export const MODES = ['one process', 'separate processes'] as const;
export type Mode = (typeof MODES)[number];

/** A catalog model that the fake provider serves, and its price in cents per million tokens. */
export const UPSTREAM_MODEL = 'test/upstream-1';
export const SANDBOX_MODEL = 'sandbox/echo-1';

const WEBHOOK_SECRET = 'whsec_system';

export interface TestCustomer {
  id: string;
  externalId: string;
  token: string;
  api: ApiClient;
}

export interface TestProject {
  id: string;
  ownerToken: string;
  secretKey: string;
  publishableKey: string;
  /** Clients with the credentials of the owner, the project's secret key and the publishable key. */
  owner: ApiClient;
  api: ApiClient;
  publishable: ApiClient;
  /** Creates a customer on its own tier. */
  customerOn(
    tier: 'free' | 'paygo',
    /** `tier`: fields of the new tier that differ from the defaults. */
    options?: { spendLimitCents?: number | null; walletMicrocents?: bigint; tier?: Record<string, unknown> },
  ): Promise<TestCustomer>;
  verify(): Promise<Json>;
}

export interface System {
  stack: Stack;
  baseUrl: string;
  /** A client without credentials. */
  anonymous: ApiClient;
  provider: FakeProvider;
  /** The fake card processor, whose webhook events reach the system. */
  processor: PaymentProcessor;
  databaseUrl: string;
  /** Environment of every service. */
  env: NodeJS.ProcessEnv;
  /** Reads of any service's tables, for assertions. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** A new owner with a project, keys and funds. */
  project(options?: { fundsCents?: number }): Promise<TestProject>;
  /** The log of all processes so far. */
  log(): string;
  /** Of one service's present process, in separate processes only; `<name>-2` is the second replica's. */
  findPid(name: string): number;
  /** The public API at one edge; `edge-gateway-2` is the second replica. */
  at(edge: string): ApiClient;
  /** `kill -9` of one service, in separate processes only. Resolves when the process has ended and its successor was started. */
  kill(name: ServiceName): Promise<void>;
  stop(): Promise<void>;
}

export interface SystemOptions {
  mode: Mode;
  /** Default: a new database of the test run's server, with all migrations. */
  database?: { url: string; drop(): Promise<void> };
  env?: NodeJS.ProcessEnv;
  journalFile?: string;
  /** Processes per service, in separate processes only; default 1. */
  replicas?: StackOptions['replicas'];
  /** Further environment of one process, in separate processes only. */
  envFor?: StackOptions['envFor'];
  /** Starts the services in another way than the mode's. */
  start?: (options: StackOptions) => Promise<Stack>;
}

/** Starts the whole system on a database of its own, with a fake provider behind it. TEST_LOG_DIR keeps its logs. */
export async function startSystem(options: SystemOptions): Promise<System> {
  const database = options.database ?? (await migratedDatabase('system'));
  const provider = await startFakeProvider(options.journalFile ? { journal: options.journalFile } : {});
  const processor = await startPaymentProcessor();
  const keptLogs = process.env.TEST_LOG_DIR;
  const logDir = mkdtempSync(join(keptLogs ?? tmpdir(), 'tollgate-system-'));
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    DATABASE_URL: database.url,
    DEV_MODE: '1',
    SANDBOX_PROVIDER: '1',
    ALLOW_PRIVATE_ENDPOINTS: '1',
    KEY_PEPPER: 'a-pepper-for-tests-that-is-long-enough',
    SECRETS_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    STRIPE_SECRET_KEY: 'sk_test_system',
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_BASE: processor.baseUrl,
    OPENAI_BASE_URL: provider.baseUrl,
    OPENAI_API_KEY: 'sk-test',
    MODEL_CATALOG_FILE: new URL('./models.json', import.meta.url).pathname,
    SIGN_IN_LIMIT_PER_ADDRESS_PER_MINUTE: '10000',
    ...(process.env.REDIS_URL && { REDIS_URL: process.env.REDIS_URL }),
    ...options.env,
  };
  const start = options.start ?? (options.mode === 'one process' ? startOneProcess : startSeparate);
  const cleanUp = async (): Promise<void> => {
    await processor.stop();
    await provider.stop();
    await database.drop();
    if (keptLogs === undefined) rmSync(logDir, { recursive: true, force: true });
  };
  let stack: Stack;
  let places: Stack['services'] = {};
  try {
    stack = await start({
      ...{ env, httpPort: 0, logDir, onPlacesChanged: (changed) => Object.assign(places, changed) },
      ...(options.replicas && { replicas: options.replicas }),
      ...(options.envFor && { envFor: options.envFor }),
    });
    places = { ...stack.services };
  } catch (error) {
    await cleanUp();
    throw error;
  }
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  pool.on('error', () => undefined); // a test may restart the server
  const baseUrl = `${stack.httpUrl}/api/v1`;
  const findPid = (name: string): number => {
    const pid = places[name]?.pid;
    if (pid === undefined || pid === process.pid) throw new Error(`${name} has no process of its own`);
    return pid;
  };
  processor.webhooks.sendTo({ url: `${baseUrl}/billing/webhooks/stripe`, secret: WEBHOOK_SECRET });
  const anonymous = apiClient(baseUrl);
  const at = (edge: string): ApiClient => anonymous.at(`${places[edge]?.http}/api/v1`);
  return {
    stack,
    baseUrl,
    anonymous,
    provider,
    processor,
    databaseUrl: database.url,
    env,
    query: async (sql, values) => (await pool.query(sql, values)).rows,
    log: () =>
      readdirSync(logDir)
        .map((name) => readFileSync(join(logDir, name), 'utf8'))
        .join(''),
    project: (wish) => makeProject(stack, anonymous, wish?.fundsCents ?? 100_000),
    findPid,
    at,
    kill: async (name) => {
      const pid = findPid(name);
      process.kill(pid, 'SIGKILL');
      await waitUntil(() => places[name]?.pid !== pid, { what: `the successor of ${name}` });
    },
    stop: async () => {
      await anonymous.close();
      await pool.end();
      await stack.stop();
      await cleanUp();
    },
  };
}

async function makeProject(stack: Stack, anonymous: ApiClient, fundsCents: number): Promise<TestProject> {
  const registered = must(
    await anonymous.post('/auth/register', { email: `${randomUUID()}@example.com`, password: randomUUID() }),
    201,
  );
  const project = registered.signup_project.project;
  const owner = anonymous.as(registered.access_token);
  const secretKey: string = registered.signup_project.issued_key.secret_key;
  const key = must(
    await owner.post('/api-keys', { label: 'public', kind: 'publishable', project_id: project.id }),
    201,
  );
  const publishableKey: string = key.api_key.secret_key;
  const api = anonymous.as(secretKey);
  const principal = create(PrincipalSchema, { kind: PrincipalKind.SYSTEM, projectId: project.id });
  const grant = (target: GrantCreditRequest['target'], amountMicrocents: bigint) =>
    stack.billing.grantCredit(
      { target, amountMicrocents, reason: 'top_up', cause: randomUUID() },
      // A call of its own: the deadline of a call counts from its start.
      startCall({ principal, timeoutMs: 60_000 }),
    );
  const funder = must(
    await api.post('/customers', { external_id: `funder-${randomUUID()}`, email: 'funder@example.com' }),
    201,
  ).customer;
  if (fundsCents > 0) await grant({ case: 'accountOfCustomerId', value: funder.id }, centsToMicrocents(fundsCents));

  return {
    id: project.id,
    ownerToken: registered.access_token,
    secretKey,
    publishableKey,
    owner,
    api,
    publishable: anonymous.as(publishableKey),
    verify: async () => must(await owner.get('/account/ledger/verify'), 200),
    customerOn: async (kind, wish = {}) => {
      const models = [
        {
          model_id: SANDBOX_MODEL,
          is_default: true,
          input_price_per_million_cents: 100,
          output_price_per_million_cents: 300,
        },
        { model_id: UPSTREAM_MODEL, input_price_per_million_cents: 200, output_price_per_million_cents: 600 },
      ];
      const limit = wish.spendLimitCents === undefined ? 1_000 : wish.spendLimitCents;
      const body =
        kind === 'paygo'
          ? paygoTierBody({ models, ...wish.tier })
          : tierBody({ models, spend_limit_cents: limit, ...wish.tier });
      const { tier } = must(await owner.post(`/projects/${project.id}/tiers`, body), 201);
      const externalId = randomUUID();
      const { customer } = must(
        await api.post('/customers', { external_id: externalId, email: 'someone@example.com' }),
        201,
      );
      const minted = must(
        await api.post('/auth/customer-token', { customer_id: customer.id, tier_code: tier.tier_code }),
        200,
      );
      if (wish.walletMicrocents) await grant({ case: 'customerId', value: customer.id }, wish.walletMicrocents);
      return { id: customer.id, externalId, token: minted.token, api: anonymous.as(minted.token) };
    },
  };
}

/** The body of an answer that has to have this status. */
export function must(answer: { status: number; text: string; body: Json }, status: number): Json {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer.body;
}
