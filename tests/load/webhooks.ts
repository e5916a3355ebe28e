import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { create } from '@bufbuild/protobuf';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { HookService } from '@tollgate/contracts/hooks/v1/hooks_pb.js';
import { createEmbeddedTransport, type EventTransport, eventTypes, newEvent } from '@tollgate/events';
import { configFromEnv, startHooks } from '@tollgate/hooks-webhooks';
import { LocalNetwork, startCall } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import pg from 'pg';
import { startSink } from './servers.js';

const PROJECTS = 100;
const ENDPOINTS_PER_PROJECT = 10;
/** One endpoint of every tenth project never answers: 1 %. */
const DEAD_EVERY = 10;
const EVENTS_PER_TURN = 20;
/** With this backlog no worker has to wait. */
const BACKLOG_MAX = 6_000;
const TURN_MS = 100;

export interface WebhookResult {
  /** Deliveries per second with a constant backlog. */
  perSecond: number;
  /** From the event to the end of its first attempt, at `offeredPerSecond`. */
  offeredPerSecond: number;
  firstAttemptP50Ms: number;
  firstAttemptP99Ms: number;
  /** Failures at healthy endpoints; must be 0. */
  undelivered: number;
}

/** Measures webhooks from event to request: fan-out, signing, delivery, records; durable commits, 1 % dead. */
export async function webhookLoad(
  databaseUrl: string,
  options: { durationMs: number; offeredPerSecond: number },
): Promise<WebhookResult> {
  const schema = `bench_${randomUUID().slice(0, 8)}`;
  const sink = await startSink();
  const transport = createEmbeddedTransport({ url: databaseUrl, logger: silentLogger, schema: `${schema}_events` });
  await transport.start();
  const network = new LocalNetwork();
  const config = configFromEnv({
    DATABASE_URL: databaseUrl,
    DATABASE_SCHEMA: schema,
    SECRETS_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ALLOW_PRIVATE_ENDPOINTS: '1',
    DRAIN_TIMEOUT: '100ms',
  });
  const service = await startHooks(config, { network, logger: silentLogger, transport });
  const pool = new pg.Pool({ connectionString: databaseUrl, options: `-c search_path=${schema}`, max: 1 });
  try {
    const projectIds = await makeEndpoints(network, sink.port);
    const harness = { pool, transport, projectIds };
    await saturate(harness, 2_000);
    const perSecond = await saturate(harness, options.durationMs);
    await drained(pool);
    const latency = await offer(harness, options);
    await drained(pool);
    return { perSecond, offeredPerSecond: options.offeredPerSecond, ...latency, undelivered: await waiting(pool) };
  } finally {
    await service.stop();
    await transport.stop();
    await pool.end();
    await sink.stop();
  }
}

interface Harness {
  pool: pg.Pool;
  transport: EventTransport;
  projectIds: readonly string[];
}

async function makeEndpoints(network: LocalNetwork, port: number): Promise<string[]> {
  const hooks = network.client(HookService);
  const projectIds = Array.from({ length: PROJECTS }, () => randomUUID());
  for (const [index, projectId] of projectIds.entries()) {
    const principal = create(PrincipalSchema, { kind: PrincipalKind.OWNER, projectId });
    for (let n = 0; n < ENDPOINTS_PER_PROJECT; n++) {
      const isDead = n === 0 && index % DEAD_EVERY === 0;
      const endpointUrl = `http://127.0.0.1:${port}/${isDead ? 'dead' : 'alive'}/${n}`;
      await hooks.createWebhook({ endpointUrl, events: ['request.completed'] }, startCall({ principal }));
    }
  }
  return projectIds;
}

/** Keeps a backlog; returns deliveries per second. */
async function saturate({ pool, transport, projectIds }: Harness, durationMs: number): Promise<number> {
  const until = performance.now() + durationMs;
  const before = await counted(pool);
  const started = performance.now();
  while (performance.now() < until) {
    if ((await waiting(pool)) < BACKLOG_MAX) await publish(transport, projectIds, 5 * EVENTS_PER_TURN);
    else await sleep(20);
  }
  const delivered = (await counted(pool)) - before;
  return delivered / ((performance.now() - started) / 1000);
}

/** Sends events at a constant rate and measures the latency of their first attempts. */
async function offer(
  { pool, transport, projectIds }: Harness,
  { durationMs, offeredPerSecond }: { durationMs: number; offeredPerSecond: number },
): Promise<Pick<WebhookResult, 'firstAttemptP50Ms' | 'firstAttemptP99Ms'>> {
  const from = new Date();
  const started = performance.now();
  const eventsPerTurn = Math.round(((offeredPerSecond / ENDPOINTS_PER_PROJECT) * TURN_MS) / 1000);
  for (let turn = 1; turn * TURN_MS <= durationMs; turn++) {
    await publish(transport, projectIds, eventsPerTurn);
    await sleep(Math.max(0, started + turn * TURN_MS - performance.now()));
  }
  await drained(pool);
  const { rows } = await pool.query(
    `SELECT percentile_cont(array[0.5, 0.99]) WITHIN GROUP (ORDER BY
              extract(epoch FROM a.started_at - e.occurred_at) * 1000 + a.latency_ms) AS ms
     FROM webhook_attempts a
     JOIN webhook_deliveries d ON d.id = a.delivery_id
     JOIN webhook_events e ON e.id = d.event_id
     JOIN webhooks w ON w.id = d.webhook_id
     WHERE a.attempt = 1 AND e.occurred_at >= $1 AND w.endpoint_url NOT LIKE '%/dead/%'`,
    [from],
  );
  const [p50, p99] = rows[0].ms;
  return { firstAttemptP50Ms: p50, firstAttemptP99Ms: p99 };
}

async function publish(transport: EventTransport, projectIds: readonly string[], count: number): Promise<void> {
  const events = Array.from({ length: count }, () => {
    const projectId = projectIds[Math.floor(Math.random() * projectIds.length)]!;
    const facts = { modelId: 'bench/model', provider: 'openai', status: 200, success: true, durationMs: 120n };
    const ids = { requestId: randomUUID(), projectId, customerId: randomUUID() };
    const message = { ...ids, facts, usage: { inputTokens: 9n }, completesRequest: true };
    return { ...newEvent(eventTypes.usageRecorded, { key: projectId, message }), source: '/bench' };
  });
  await transport.publish(events);
}

async function counted(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(`SELECT count(*)::int AS n FROM webhook_attempts WHERE outcome = 'delivered'`);
  return rows[0].n;
}

/** Counts unfinished deliveries to healthy endpoints. */
async function waiting(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(
    `SELECT count(*)::int AS n FROM webhook_lanes l JOIN webhooks w ON w.id = l.webhook_id
     WHERE w.endpoint_url NOT LIKE '%/dead/%'`,
  );
  return rows[0].n;
}

/** Waits until the backlog is empty, for a bounded time. */
async function drained(pool: pg.Pool): Promise<void> {
  const until = performance.now() + 30_000;
  await sleep(500);
  while (performance.now() < until && (await waiting(pool)) > 0) await sleep(100);
}
