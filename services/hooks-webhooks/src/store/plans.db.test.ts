// Plans of the statements in .sql files, in tables of 20,000 rows: 20,000 deliveries of one webhook, 40 of each of 100 others. Half of
// the queues are leased; of the others one in ten is due.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createPool,
  type ExplainedStatement,
  explainStatement,
  FIRST_ID,
  type Pool,
  QUEUE_SESSION_SETTINGS,
  type Queryable,
  type TestDatabase,
  testDatabase,
} from '@tollgate/postgres';
import type { AttemptReport, Lease } from '../domain/webhooks/delivery.js';
import { lockLeases, saveHealth, saveOutcomes } from './delivery-queues.js';
import { requeueDelivery } from './gen/deliveries.js';
import {
  countDueDeliveries,
  findExpiredLanes,
  leaseQueueHeads,
  postponeExpiry,
  queueDeliveries,
  readEndpointDemands,
  visitEndpoints,
} from './gen/delivery-queues.js';
import * as authorizations from './gen/mcp/mcp-authorizations.js';
import * as servers from './gen/mcp/mcp-servers.js';
import { requeueFailedDeliveries } from './gen/recoveries.js';
import { readDeliveryStatistics } from './gen/statistics.js';
import * as hooks from './gen/tool-hooks.js';
import * as webhooks from './gen/webhooks.js';

const WEBHOOK = randomUUID();
const PROJECT = randomUUID();
const ROWS = 20_000;
const ENDPOINT = `endpoint_url, enabled, secret_key_id, secret_sealed`;
const ENDPOINT_VALUES = `'https://example.com', true, 'k', ''::bytea`;
const MANY = `FROM generate_series(1, ${ROWS}) AS i`;
const SEED = `
  INSERT INTO webhooks (id, project_id, event_types, signature_form, retry_schedule, ${ENDPOINT})
    SELECT gen_random_uuid(), gen_random_uuid(), '{}'::text[], 'standard', 'fast', ${ENDPOINT_VALUES} ${MANY}
    UNION ALL SELECT '${WEBHOOK}', '${PROJECT}', '{a}'::text[], 'standard', 'fast', ${ENDPOINT_VALUES};
  INSERT INTO webhook_events (id, project_id, event_type, payload, occurred_at)
    SELECT gen_random_uuid(), '${PROJECT}', 'run.completed', '', now() ${MANY};
  INSERT INTO webhook_deliveries (id, webhook_id, event_id, lane_key, status, created_at)
    SELECT gen_random_uuid(), '${WEBHOOK}', id, id::text, CASE row_number() OVER () % 4 WHEN 0 THEN 'failed' ELSE 'pending' END,
      now() - row_number() OVER () * interval '1 second' FROM webhook_events;
  INSERT INTO webhook_lanes (webhook_id, lane_key, delivery_id, due_at, leased_until)
    SELECT webhook_id, lane_key, id, now() + CASE seq % 20 WHEN 1 THEN interval '0' ELSE interval '1 h' END,
      CASE WHEN seq % 2 = 0 THEN now() + interval '1 h' END FROM webhook_deliveries;
  INSERT INTO webhook_deliveries (id, webhook_id, event_id, lane_key, status)
    SELECT gen_random_uuid(), w.id, e.id, '', 'failed'
    FROM (SELECT id FROM webhooks WHERE id <> '${WEBHOOK}' LIMIT 100) w, (SELECT id FROM webhook_events LIMIT 40) e;
  INSERT INTO webhook_recoveries (id, webhook_id, since) SELECT id, id, now() FROM webhooks;
  INSERT INTO tool_hooks (id, project_id, hook_type, timeout_ms, fail_behavior, tools_allowlist, allow_mutation, ${ENDPOINT})
    SELECT gen_random_uuid(), gen_random_uuid(), 'tool_execute', 1, 'fail_open', '{}', false, ${ENDPOINT_VALUES} ${MANY};
  INSERT INTO mcp_servers (id, project_id, name, timeout_ms, tools_allowlist, header_names, ${ENDPOINT})
    SELECT gen_random_uuid(), gen_random_uuid(), 's', 1, '{}', '{}', ${ENDPOINT_VALUES} ${MANY};
  INSERT INTO mcp_authorizations (id, project_id, endpoint_origin, status, secret_key_id, secret_sealed, generation)
    SELECT id, project_id, '', 'authorized', 'k', '', 1 FROM mcp_servers;
  INSERT INTO mcp_authorization_attempts (state_hash, server_id, project_id, user_id, session_id, endpoint_origin, secret_key_id,
    secret_sealed, expires_at)
    SELECT sha256(id::text::bytea), id, project_id, '', '', '', 'k', '', now() + interval '1 h' FROM mcp_servers`;

let database: TestDatabase;
let queue: Pool;
let leases: Lease[];
let ids: { hook: string; hookProject: string; server: string; serverProject: string };
beforeAll(async () => {
  database = await testDatabase(import.meta.url, { migrations: new URL('../../prisma/migrations', import.meta.url) });
  queue = createPool({ url: database.url, schema: database.schema, settings: QUEUE_SESSION_SETTINGS });
  // One by one: the limit of an answer applies to each.
  for (const statement of SEED.split(';')) await database.pool.query(statement);
  await database.analyze();
  const leased = await database.pool.query<Lease>(
    `SELECT webhook_id AS "webhookId", lane_key AS "orderingKey", epoch, delivery_id AS "deliveryId", 0 AS round, 1 AS attempt
     FROM webhook_lanes WHERE leased_until IS NOT NULL LIMIT 3`,
  );
  leases = leased.rows;
  const found = await database.pool.query(
    `SELECT h.id AS hook, h.project_id AS "hookProject", s.id AS server, s.project_id AS "serverProject"
     FROM tool_hooks h, mcp_servers s LIMIT 1`,
  );
  ids = found.rows[0];
});
afterAll(async () => {
  await queue?.end();
  await database.drop();
});

const NOW = new Date();
const HOUR_AGO = new Date(NOW.getTime() - 3_600_000);
const SECRET = { secretKeyId: 'k', secretSealed: Buffer.alloc(1) };
const HOOK = { endpointUrl: '', enabled: true, timeoutMs: 1, toolsAllowlist: [], updatedAt: NOW, ...SECRET };
const TOOL_HOOK = { ...HOOK, hookType: 'tool_execute', failBehavior: 'fail_open', allowMutation: true };
const ADDRESS = { endpointUrl: '', eventTypes: ['a'], signatureForm: 'standard', retrySchedule: 'fast', ...SECRET };
const PLACE = { id: randomUUID(), createdAt: NOW, updatedAt: NOW, max: 100 };
const ORIGIN = { endpointOrigin: '', expiresAt: null, ...SECRET };
const toEvent = (place: number) => ({
  id: randomUUID(),
  projectId: PROJECT,
  payload: Buffer.alloc(0),
  occurredAt: NOW,
  place,
});
const toReport = (lease: Lease) =>
  ({ lease, verdict: { outcome: 'delivered' }, isInterrupted: false, startedAt: NOW }) as unknown as AttemptReport;

type Run = (db: Queryable) => Promise<unknown>;

async function explainOnce(pool: Pool, run: Run, rowsMax: number, isGeneric = true): Promise<ExplainedStatement> {
  const read = await explainStatement(pool, run, { isGeneric });
  expect([read.sequentialScans, read.plan]).toEqual([[], read.plan]);
  expect([read.rowsRead <= rowsMax, read.plan]).toEqual([true, read.plan]);
  return read;
}

describe('the statements of queues', () => {
  const health = { failedDeliveries: 1, failedAttempts: 1 };
  const statements: [string, string, number, Run][] = [
    [
      'heads of an endpoint',
      'webhook_lanes_free_idx',
      50,
      (db) => leaseQueueHeads(db, { quotas: [{ webhookId: WEBHOOK, quota: 5 }], fastLeaseMs: 1, standardLeaseMs: 1 }),
    ],
    [
      'demand of an endpoint',
      'webhook_lanes_free_idx',
      20,
      (db) => readEndpointDemands(db, { webhookIds: [WEBHOOK], endpointMax: 4 }),
    ],
    [
      'endpoints with due queues',
      'webhook_lanes_free_idx',
      1_000,
      (db) => visitEndpoints(db, { after: FIRST_ID, foundMax: 8, endpointMax: 4, takesFailing: true }),
    ],
    ['number of due queues', 'webhook_lanes_free_idx', 1_100, countDueDeliveries],
    // There are as many leases as attempts in progress.
    ['expired leases', 'webhook_lanes_leased_idx', ROWS / 2, (db) => findExpiredLanes(db, { limit: 500 })],
    ['extended leases', 'webhook_lanes_pkey', 10, (db) => postponeExpiry(db, { leases, delayMs: 1 })],
    ['locked leases', 'webhook_lanes_pkey', 20, (db) => lockLeases(db as never, leases)],
    [
      'attempts and the next heads',
      'webhook_deliveries_pending_idx',
      40,
      (db) => saveOutcomes(db as never, leases.map(toReport)),
    ],
    [
      'health of endpoints',
      'webhooks_pkey',
      5,
      (db) => saveHealth(db as never, [{ webhookId: WEBHOOK, health, disable: undefined }]),
    ],
    [
      'deliveries of events',
      'webhooks_project_id_created_at_id_idx',
      10,
      (db) =>
        queueDeliveries(db, {
          events: [1, 2, 3].map((i) => ({ ...toEvent(i), type: 'a', customerId: null, traceparent: null })),
        }),
    ],
    [
      'repeated deliveries',
      'webhook_deliveries_pkey',
      5,
      (db) => requeueDelivery(db, { webhookId: WEBHOOK, deliveryId: leases[0]!.deliveryId }),
    ],
    [
      'recovered deliveries',
      'webhook_deliveries_failed_idx',
      100,
      (db) =>
        requeueFailedDeliveries(db, {
          recoveryId: WEBHOOK,
          webhookId: WEBHOOK,
          since: HOUR_AGO,
          startedAt: new Date(NOW.getTime() + 3_600_000),
          cursorId: null,
          limit: 10,
        }),
    ],
  ];

  it.each(statements)('reads only rows that it needs: %s, by %s', async (_title, index, rowsMax, run) => {
    const read = await explainOnce(queue, run, rowsMax);
    expect(read.indexes).toContain(index);
  });
});

describe('the statements of requests', () => {
  const mcp = () => ({ id: ids.server, projectId: ids.serverProject });
  const hook = () => ({ id: ids.hook, projectId: ids.hookProject });
  const attempt = () => ({ stateHash: Buffer.alloc(1), ...mcp(), serverId: ids.server, userId: '', sessionId: '' });
  const settings = { headerNames: null, basedOn: NOW };
  const statements: [string, Run][] = [
    ['inserts of tool hooks', (db) => hooks.insertToolHookRow(db, { ...TOOL_HOOK, ...hook(), ...PLACE })],
    ['changes of tool hooks', (db) => hooks.changeToolHook(db, { ...TOOL_HOOK, ...hook() })],
    [
      'inserts of webhooks',
      (db) =>
        webhooks.insertWebhookRow(db, {
          ...ADDRESS,
          ...PLACE,
          projectId: PROJECT,
          enabled: true,
          disabledReason: null,
        }),
    ],
    [
      'changes of webhooks',
      (db) =>
        webhooks.changeWebhook(db, { ...ADDRESS, id: WEBHOOK, projectId: PROJECT, previousUntil: NOW, updatedAt: NOW }),
    ],
    ['changes of MCP servers', (db) => servers.changeMcpServer(db, { ...HOOK, ...mcp(), ...settings })],
    ['listings', (db) => servers.storeMcpListing(db, { ...mcp(), updatedAt: NOW, listing: '', listedAt: NOW })],
    ['connections', (db) => authorizations.putMcpAuthorizationRow(db, { ...mcp(), ...ORIGIN })],
    ['tokens', (db) => authorizations.storeRefreshedTokens(db, { ...mcp(), ...ORIGIN, generation: 1 })],
    [
      'inserts of attempts to connect',
      (db) => authorizations.insertAuthorizationAttempt(db, { ...attempt(), ...ORIGIN, ttlMs: 1, max: 1 }),
    ],
    ['ends of attempts to connect', (db) => authorizations.takeAuthorizationAttempt(db, attempt())],
  ];

  it.each(statements)('reads a few rows by index: %s', async (_title, run) => {
    await explainOnce(database.pool, run, 10);
  });

  it('reads the deliveries of a range alone for statistics', async () => {
    const range = { webhookId: WEBHOOK, from: HOUR_AGO, to: NOW, interval: 'hour', rowsMax: 10_000 };
    await explainOnce(database.pool, (db) => readDeliveryStatistics(db, range), 3_700, false);
  });
});
