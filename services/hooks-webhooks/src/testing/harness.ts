import { randomBytes, randomUUID } from 'node:crypto';
import type { MetricsRegistry } from '@tollgate/metrics';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { type Logger, silentLogger } from '@tollgate/runtime';
import { openParts } from '@tollgate/service';
import { startWebhookReceiver, type WebhookReceiver, waitUntil } from '@tollgate/testkit';
import type { NameOptions } from '../clients/endpoint-client.js';
import { type Config, configFromEnv } from '../config.js';
import { type Context, createContext } from '../context.js';
import type { WebhookEvent } from '../domain/webhooks/webhook-event.js';
import { fanOutEvents } from '../operations/webhooks/fan-out-events.js';
import { type CreateWebhookCommand, createWebhook } from '../operations/webhooks/webhooks.js';
import { type DeliveryRecord, selectDeliveries } from '../store/deliveries.js';
import { type DeliveryWorker, startDeliveryWorker } from '../workers/delivery-worker.js';

/** More deliveries than a test makes for one webhook. */
const ROWS_MAX = 10_000;

/** The service without its gRPC server: a database with contexts, and workers and receivers that tests start. */
export interface Harness {
  database: TestDatabase;
  /** For operations that the test runs; has no worker. */
  ctx: Context;
  projectId: string;
  startWorker(limits?: Partial<Config['limits']>, options?: { names?: NameOptions; logger?: Logger }): DeliveryWorker;
  startReceiver(): Promise<WebhookReceiver>;
  createWebhook(url: string, given?: Partial<CreateWebhookCommand>): Promise<{ id: string; secret: string }>;
  /** Queues one delivery of each event per webhook and wakes the workers. */
  emit(...events: Partial<WebhookEvent>[]): Promise<WebhookEvent[]>;
  /** Makes every waiting retry due now. */
  hurry(): Promise<void>;
  deliveries(webhookId: string): Promise<DeliveryRecord[]>;
  /** Waits until the webhook has that many deliveries with the status. */
  waitForStatus(webhookId: string, status: string, count?: number, timeoutMs?: number): Promise<DeliveryRecord[]>;
  /** Waits until that many attempts of the webhook's deliveries are recorded. */
  waitForAttempts(webhookId: string, count: number): Promise<void>;
  stop(): Promise<void>;
}

export function testConfig(database: TestDatabase, env: NodeJS.ProcessEnv = {}): Config {
  return configFromEnv({
    DATABASE_URL: database.url,
    DATABASE_SCHEMA: database.schema,
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: '0',
    SECRETS_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ALLOW_PRIVATE_ENDPOINTS: '1',
    DRAIN_TIMEOUT: '200ms',
    ...env,
  });
}

export async function startHarness(name: string, metrics?: MetricsRegistry): Promise<Harness> {
  const database = await testDatabase(name, { migrations: new URL('../../prisma/migrations', import.meta.url) });
  const config = testConfig(database);
  const parts = openParts('hooks-webhooks', config, { logger: silentLogger });
  const ctx = createContext(parts);
  const started: { stop(): Promise<void> }[] = [];
  const workers: DeliveryWorker[] = [];
  const projectId = randomUUID();
  ctx.onWakeDeliveries(() => {
    for (const worker of workers) worker.wake();
  });

  const countRows = async (where: string, ...values: string[]) => {
    const { rows } = await database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${where}`, values);
    return rows[0]!.n;
  };

  const harness: Harness = {
    database,
    ctx,
    projectId,
    startWorker(limits, { names, logger = silentLogger } = {}) {
      const workerConfig = { ...config, limits: { ...config.limits, ...limits } };
      const own = openParts('hooks-webhooks', workerConfig, { logger, metrics });
      const worker = startDeliveryWorker(createContext(own, names));
      workers.push(worker);
      started.push({ stop: () => worker.stop().then(own.stop) });
      return worker;
    },
    async startReceiver() {
      const receiver = await startWebhookReceiver();
      started.push(receiver);
      return receiver;
    },
    async createWebhook(endpointUrl, given) {
      const command = { endpointUrl, events: ['request.completed'], retrySchedule: 'fast', ...given };
      const { webhook, signingSecret } = await createWebhook(ctx, projectId, command);
      return { id: webhook.id, secret: signingSecret };
    },
    async emit(...given) {
      const events = given.map((event): WebhookEvent => ({ ...anEvent(projectId), ...event }));
      await fanOutEvents(
        ctx,
        events.map((event) => ({ ...event, read: () => event })),
      );
      return events;
    },
    async hurry() {
      // Locks rows in the workers' order: any other order can deadlock with them.
      await database.pool.query(
        `UPDATE webhook_lanes SET due_at = now()
         WHERE (webhook_id, lane_key) IN (
           SELECT webhook_id, lane_key FROM webhook_lanes WHERE leased_until IS NULL
           ORDER BY webhook_id, lane_key FOR UPDATE)`,
      );
      ctx.wakeDeliveries();
    },
    async deliveries(webhookId) {
      const newestFirst = await selectDeliveries(ctx.pool, { webhookId }, { limit: ROWS_MAX, offset: 0 });
      return newestFirst.reverse();
    },
    async waitForStatus(webhookId, status, count = 1, timeoutMs) {
      const where = 'webhook_deliveries WHERE webhook_id = $1 AND status = $2';
      await waitUntil(async () => (await countRows(where, webhookId, status)) >= count, {
        timeoutMs,
        what: `${count} deliveries ${status}`,
      });
      return (await harness.deliveries(webhookId)).filter((delivery) => delivery.status === status);
    },
    async waitForAttempts(webhookId, count) {
      const where = `webhook_attempts WHERE delivery_id IN (SELECT id FROM webhook_deliveries WHERE webhook_id = $1)`;
      await waitUntil(async () => (await countRows(where, webhookId)) >= count, { what: `${count} recorded attempts` });
    },
    async stop() {
      await Promise.all(started.splice(0).map((part) => part.stop()));
      await parts.stop();
      await database.drop();
    },
  };
  return harness;
}

function anEvent(projectId: string): WebhookEvent {
  const id = randomUUID();
  return { id, type: 'request.completed', projectId, occurredAt: new Date(), data: { request_id: id } };
}
