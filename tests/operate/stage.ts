// The system in separate processes, under load, with every part that an exercise breaks, watched by a real Prometheus.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiClient, startWebhookReceiver, type WebhookReceiver, waitUntil, webhookBody } from '@tollgate/testkit';
import pg from 'pg';
import { must, type System, startSystem, type TestCustomer, type TestProject } from '../system/start-system.js';
import { type DatabaseProxy, startDatabaseProxy } from './database-proxy.js';
import { type Prometheus, startPrometheus } from './prometheus.js';
import { type Redis, startRedis } from './redis.js';
import { startTraffic, type Traffic } from './traffic.js';

export interface Stage {
  system: System;
  project: TestProject;
  customer: TestCustomer;
  traffic: Traffic;
  /** The owner's endpoint for webhooks. */
  sink: WebhookReceiver;
  proxy: DatabaseProxy;
  redis: Redis;
  prometheus: Prometheus;
  /** `CONNECTIONS_FILE` of gateway-inference; without entries. */
  connectionsFile: string;
  /** Leaves a transaction open that has run this statement, as an operator with a console may. */
  forgetTransaction(statement: string): Promise<void>;
  /** Runs a statement without the proxy, as an operator would. */
  sql(statement: string, values?: unknown[]): Promise<pg.QueryResultRow[]>;
  stop(): Promise<void>;
}

export const NO_CONNECTIONS = '{"connections": []}';

/** Periods that are minutes or hours in production, and limits that the load must not reach. */
const SHORT = {
  HOLD_TTL: '3s',
  LEDGER_VERIFY_INTERVAL: '2s',
  CIRCUIT_OPEN: '3s',
  WORK_LEASE: '3s',
  WORK_HEARTBEAT: '1s',
  SIGNUP_CREDIT_CENTS: '0',
  RATE_LIMIT_CUSTOMER_PER_MINUTE: '1000000',
  RATE_LIMIT_SECRET_KEY_PER_MINUTE: '1000000',
  RATE_LIMIT_OWNER_PER_MINUTE: '1000000',
};

/** @param databaseUrl an empty database */
export async function openStage(databaseUrl: string, program: string): Promise<Stage> {
  const closing: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closing.reverse()) await close();
  };
  const kept = <T extends { stop(): Promise<unknown> }>(part: T): T => {
    closing.push(() => part.stop());
    return part;
  };
  try {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-exercise-'));
    closing.push(async () => rmSync(folder, { recursive: true, force: true }));
    const connectionsFile = join(folder, 'connections.json');
    writeFileSync(connectionsFile, NO_CONNECTIONS);
    const proxy = kept(await startDatabaseProxy(databaseUrl));
    const redis = kept(await startRedis());
    const system = kept(
      await startSystem({
        mode: 'separate processes',
        database: { url: databaseUrl, drop: async () => undefined },
        env: { ...SHORT, DATABASE_URL: proxy.url, REDIS_URL: redis.url, CONNECTIONS_FILE: connectionsFile },
        replicas: { 'workflow-engine': 2 },
      }),
    );
    const sink = kept(await startWebhookReceiver());
    const project = await system.project({ fundsCents: 1_000_000 });
    must(await project.owner.post(`/projects/${project.id}/webhooks`, webhookBody(sink.url)), 201);
    const customer = await project.customerOn('free', { spendLimitCents: null });
    await topUp(project.owner);
    const targets = [...new Set(Object.values(system.stack.services).map(({ health }) => health))];
    const prometheus = kept(await startPrometheus(program, targets));
    const traffic = kept(startTraffic(customer.api));
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
    pool.on('error', () => undefined);
    closing.push(() => pool.end());
    return {
      ...{ system, project, customer, traffic, sink, proxy, redis, prometheus, connectionsFile, stop },
      sql: async (statement, values) => (await pool.query(statement, values)).rows,
      forgetTransaction: async (statement) => {
        const client = new pg.Client({ connectionString: databaseUrl, application_name: 'console' });
        client.on('error', () => undefined); // the remedy ends its session
        await client.connect();
        await client.query(`BEGIN; ${statement}`);
        closing.push(() => client.end().catch(() => undefined));
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A payment, for the panels that show payments. */
async function topUp(owner: ApiClient): Promise<void> {
  const { id, checkout_url } = must(await owner.post('/account/topup', { amount_cents: 1_000 }), 201);
  const form = new URLSearchParams({ do: 'pay', card: 'pm_card_visa' });
  await fetch(checkout_url, { method: 'POST', body: form, redirect: 'manual', signal: AbortSignal.timeout(10_000) });
  const isPaid = async () => must(await owner.get(`/account/topups/${id}`), 200).status === 'completed';
  await waitUntil(isPaid, { what: 'the payment' });
}
