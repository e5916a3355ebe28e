import { createSecretKey, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyIdOf, openSecret } from '../domain/secret-box.js';
import { cancelLeftovers } from '../operations/cancel-pending.js';
import { deleteWebhook } from '../operations/delete-webhook.js';
import { requireWebhook } from '../operations/require-webhook.js';
import { rewrapSecrets } from '../operations/rewrap-secrets.js';
import { sweep } from '../operations/sweep.js';
import { type Harness, startHarness } from '../testing/harness.js';

let h: Harness;

beforeAll(async () => {
  h = await startHarness(import.meta.url);
});
afterAll(() => h.stop());

async function count(table: string, where = 'true', ...values: unknown[]): Promise<number> {
  const { rows } = await h.database.pool.query(`SELECT count(*)::int AS n FROM ${table} WHERE ${where}`, values);
  return rows[0].n;
}

async function age(days: number): Promise<void> {
  for (const table of ['webhook_deliveries', 'webhook_events']) {
    await h.database.pool.query(`UPDATE ${table} SET created_at = created_at - $1::int * interval '1 day'`, [days]);
  }
}

describe('retention', () => {
  it('removes finished deliveries past their time with attempts and events, and nothing that is unfinished', async () => {
    const receiver = await h.startReceiver();
    const worker = h.startWorker();
    const { id } = await h.createWebhook(receiver.url);
    await h.emit({}, {});
    await h.waitForStatus(id, 'delivered', 2);
    await worker.stop();
    await h.emit({});
    await age(29);
    await sweep(h.ctx);
    expect(await count('webhook_deliveries')).toBe(3);
    await age(2);
    await sweep(h.ctx);
    expect((await h.deliveries(id)).map((delivery) => delivery.status)).toEqual(['pending']);
    expect(await count('webhook_attempts')).toBe(0);
    expect(await count('webhook_events')).toBe(1);
    await h.database.pool.query('UPDATE webhooks SET deleted_at = now()');
  });

  it('removes a deleted webhook once its deliveries are gone', async () => {
    const { id } = await h.createWebhook('http://127.0.0.1:9/');
    await h.emit({});
    await deleteWebhook(h.ctx, h.projectId, id);
    await sweep(h.ctx);
    expect(await count('webhook_deliveries', 'webhook_id = $1', id)).toBe(0);
    await h.database.pool.query(`UPDATE webhooks SET deleted_at = now() - interval '2 hours' WHERE id = $1`, [id]);
    await sweep(h.ctx);
    expect(await count('webhooks', 'id = $1', id)).toBe(0);
  });
});

describe('leftovers of a closed webhook', () => {
  it('are never claimed, and failed by the sweeper', async () => {
    const receiver = await h.startReceiver();
    const { id } = await h.createWebhook(receiver.url);
    await h.emit({ customerId: '0' }, { customerId: '0' }, {});
    // As if another replica had disabled it while the events were being queued.
    await h.database.pool.query('UPDATE webhooks SET enabled = false WHERE id = $1', [id]);
    const worker = h.startWorker({ pollMs: 10 });
    const other = await h.createWebhook(`${receiver.url}other`);
    await h.emit({});
    await h.waitForStatus(other.id, 'delivered');
    expect(receiver.deliveries.map((delivery) => delivery.path)).toEqual(['/other']);
    await cancelLeftovers(h.ctx);
    expect((await h.deliveries(id)).map((delivery) => delivery.status)).toEqual(Array(3).fill('failed'));
    expect(await count('webhook_lanes', 'webhook_id = $1', id)).toBe(0);
    await worker.stop();
  });
});

describe('a new secrets key', () => {
  it('takes over from the old one without changing a secret', async () => {
    const { id, secret } = await h.createWebhook('http://127.0.0.1:9/');
    const key = randomBytes(32);
    const keyring = {
      currentKeyId: keyIdOf(key),
      keys: new Map([...h.ctx.keyring.keys, [keyIdOf(key), createSecretKey(key)]]),
    };
    expect(await rewrapSecrets({ ...h.ctx, keyring })).toBeGreaterThan(0);
    expect(await rewrapSecrets({ ...h.ctx, keyring })).toBe(0);
    const { secret: sealed } = await requireWebhook(h.ctx, h.projectId, id);
    expect(sealed.keyId).toBe(keyring.currentKeyId);
    expect(openSecret(keyring, sealed, id)).toBe(secret);
  });
});
