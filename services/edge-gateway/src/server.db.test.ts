import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { appendEvents, createEmbeddedTransport, createRelay, eventTypes, newEvent, OUTBOX_SQL } from '@tollgate/events';
import { createPool, emptyDatabase, withTransaction } from '@tollgate/postgres';
import { LocalNetwork } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import type { RunningService } from '@tollgate/service';
import { apiClient, waitUntil } from '@tollgate/testkit';
import { configFromEnv } from './config.js';
import { startEdgeGateway } from './server.js';
import { peer } from './testing/route-test.js';

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let customer: { id: string; externalId: string };

beforeAll(async () => {
  database = await emptyDatabase(import.meta.url);
});

beforeEach(() => {
  customer = { id: randomUUID(), externalId: 'user-1' };
});
afterAll(() => database.drop());

const env = () => ({ DATABASE_URL: database.url, DEV_MODE: '1', HTTP_HOST: '127.0.0.1', HTTP_PORT: '0' });

function startLocal(): Promise<RunningService> {
  const network = new LocalNetwork();
  network.register(peer(BillingService, { prepareCustomerToken: () => ({ customer }), getTier: () => ({}) }));
  return startEdgeGateway(configFromEnv(env()), { network, logger: silentLogger });
}

/** Registers an owner and returns its first key. */
async function register(edge: RunningService): Promise<string> {
  const api = apiClient(`http://${edge.httpAddress}/api/v1`);
  const { body } = await api.post('/auth/register', { email: `${randomUUID()}@example.com`, password: randomUUID() });
  await api.close();
  return body.signup_project.issued_key.secret_key;
}

describe('startEdgeGateway', () => {
  it('stops answering after a stop, and accepts earlier keys and tokens after a restart', async () => {
    const first = await startLocal();
    const secretKey = await register(first);
    const api = apiClient(`http://${first.httpAddress}/api/v1`, secretKey);
    const { body } = await api.post('/auth/customer-token', { customer_id: customer.id });
    await first.stop();
    await expect(api.get('/openapi.json')).rejects.toThrow();
    await api.close();

    const second = await startLocal();
    const again = apiClient(`http://${second.httpAddress}/api/v1`);
    expect((await again.as(secretKey).post('/auth/customer-token', {})).status).toBe(400);
    // The token is valid, so the signing key was kept; this endpoint rejects its kind.
    expect((await again.as(body.token).post('/auth/customer-token', {})).status).toBe(403);
    await again.close();
    await second.stop();
  });

  it('opens gRPC for health checks, and answers while its peers are unavailable', async () => {
    const peers = Object.fromEntries(
      ['GATEWAY_INFERENCE', 'BILLING_LEDGER', 'WORKFLOW_ENGINE', 'AGENT_REGISTRY', 'HOOKS_WEBHOOKS', 'MESSAGING'].map(
        (name) => [`${name}_ADDR`, '127.0.0.1:1'],
      ),
    );
    const config = configFromEnv({ ...env(), ...peers, GRPC_HOST: '127.0.0.1', GRPC_PORT: '0' });
    const edge = await startEdgeGateway(config, { logger: silentLogger });
    expect(edge.address).toMatch(/^127\.0\.0\.1:\d+$/);
    const api = apiClient(`http://${edge.httpAddress}`);
    expect((await api.get('/readyz')).status).toBe(200);
    expect(
      (
        await api
          .at('/api/v1')
          .as(await register(edge))
          .get('/customers')
      ).status,
    ).toBe(503);
    await api.close();
    await edge.stop();
  });

  it('revokes the tokens of a customer when the event of its deletion arrives', async () => {
    const edge = await startLocal();
    const api = apiClient(`http://${edge.httpAddress}/api/v1`, await register(edge));
    const { body } = await api.post('/auth/customer-token', { customer_id: customer.id });
    const asCustomer = () => api.as(body.token).post('/auth/customer-token', {});
    expect((await asCustomer()).status).toBe(403);
    await publishDeletion(customer.id);
    await waitUntil(async () => (await asCustomer()).status === 401, { what: 'the revocation' });
    await api.close();
    await edge.stop();
  });
});

/** Publishes the event as billing-ledger does: an outbox row and a relay. */
async function publishDeletion(customerId: string): Promise<void> {
  const pool = createPool({ url: database.url, schema: 'public' });
  await pool.query(OUTBOX_SQL);
  const transport = createEmbeddedTransport({ url: database.url, logger: silentLogger });
  await transport.start();
  const relay = createRelay({ pool, schema: 'public', source: '/test', transport, logger: silentLogger });
  await withTransaction(pool, (tx) =>
    appendEvents(tx, [newEvent(eventTypes.customerDeleted, { key: customerId, message: { customerId } })]),
  );
  await relay.drain();
  await relay.stop();
  await transport.stop();
  await pool.end();
}
