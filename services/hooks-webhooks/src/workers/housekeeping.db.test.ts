import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { computeKeyId, openSecret } from '@tollgate/runtime/secret-box';
import { waitUntil } from '@tollgate/testkit';
import { closeProject } from '../operations/close-project.js';
import { rewrapSecrets } from '../operations/rewrap-secrets.js';
import { sweep } from '../operations/sweep.js';
import { runToolHooks } from '../operations/tool-hooks/run-tool-hooks.js';
import { createToolHook, requireToolHook } from '../operations/tool-hooks/tool-hooks.js';
import { cancelLeftovers } from '../operations/webhooks/cancel-pending.js';
import { createWebhook, deleteWebhook, requireWebhook } from '../operations/webhooks/webhooks.js';
import { requeueFinished } from '../store/deliveries.js';
import { markToolHookDeleted } from '../store/tool-hooks.js';
import { type Harness, startHarness } from '../testing/harness.js';

let h: Harness;

beforeEach(async () => {
  h = await startHarness(import.meta.url);
});
afterEach(() => h.stop());

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
  it('deletes finished deliveries past their retention with attempts and events, and no unfinished ones', async () => {
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
  });

  it('keeps a delivery that is queued again concurrently', async () => {
    const receiver = await h.startReceiver();
    const worker = h.startWorker();
    const { id } = await h.createWebhook(receiver.url);
    await h.emit({});
    const [delivery] = await h.waitForStatus(id, 'delivered');
    await worker.stop();
    await age(31);
    const owner = await h.database.pool.connect();
    await owner.query('BEGIN');
    expect(await requeueFinished(owner, id, delivery!.id)).toBe(true);
    const sweeping = sweep(h.ctx);
    await waitUntil(async () => (await count('pg_locks', 'NOT granted')) > 0, { what: 'the sweep to meet the row' });
    await owner.query('COMMIT');
    owner.release();
    await sweeping;
    expect(await h.deliveries(id)).toMatchObject([{ status: 'pending', round: 1 }]);
  });

  it('deletes a webhook row after its deliveries', async () => {
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

const toolHook = { hookType: 'pre_tool_use', failBehavior: 'fail_open', toolsAllowlist: [] };

/** Creates a hook with one event in its log and one decision. */
async function askedToolHook(): Promise<string> {
  const endpointUrl = (await h.startReceiver()).url;
  const { hook } = await createToolHook(h.ctx, h.projectId, { ...toolHook, endpointUrl });
  const call = { hookType: 'pre_tool_use', projectId: h.projectId, endUserId: undefined } as const;
  const tool = {
    requestId: 'r',
    executionId: hook.id,
    toolCallId: 'c',
    toolName: 't',
    argumentsJson: '{}',
    resultJson: undefined,
  };
  await runToolHooks(h.ctx, { ...call, ...tool }, undefined, new AbortController().signal);
  return hook.id;
}

describe('retention of tool hooks', () => {
  it('deletes events and decisions past their retention', async () => {
    const id = await askedToolHook();
    const kept = async () => [await count('tool_hook_events', 'hook_id = $1', id), await count('tool_hook_journal')];
    for (const [days, left] of [
      [29, [1, 2]],
      [2, [0, 0]],
    ] as const) {
      for (const table of ['tool_hook_events', 'tool_hook_journal']) {
        await h.database.pool.query(`UPDATE ${table} SET created_at = created_at - $1::int * interval '1 day'`, [days]);
      }
      await sweep(h.ctx);
      expect(await kept()).toEqual(left);
    }
  });

  it('keeps the records of tool calls longer than any run, also with a shorter retention', async () => {
    await askedToolHook();
    await h.database.pool.query('INSERT INTO mcp_calls (call_key, claimed_until) VALUES ($1, now())', [
      randomBytes(32),
    ]);
    const limits = { ...h.ctx.limits, hookRetentionDays: 1 };
    const kept: number[][] = [];
    for (const days of [7, 2]) {
      for (const table of ['tool_hook_journal', 'mcp_calls']) {
        await h.database.pool.query(`UPDATE ${table} SET created_at = created_at - $1::int * interval '1 day'`, [days]);
      }
      await sweep({ ...h.ctx, limits });
      kept.push([await count('tool_hook_journal'), await count('mcp_calls')]);
    }
    expect(kept).toEqual([
      [2, 1],
      [0, 0],
    ]);
  });

  it('deletes a hook row after its events', async () => {
    const id = await askedToolHook();
    await markToolHookDeleted(h.ctx.pool, h.projectId, id, new Date());
    await sweep(h.ctx);
    expect(await count('tool_hook_events', 'hook_id = $1', id)).toBe(0);
    expect(await count('tool_hooks', 'id = $1', id)).toBe(1);
    await h.database.pool.query(`UPDATE tool_hooks SET deleted_at = now() - interval '2 hours' WHERE id = $1`, [id]);
    await sweep(h.ctx);
    expect(await count('tool_hooks', 'id = $1', id)).toBe(0);
  });
});

describe('a project that is closed', () => {
  it('loses its endpoints and sends no pending deliveries', async () => {
    const receiver = await h.startReceiver();
    const mine = await h.createWebhook(receiver.url);
    await h.emit({}, {});
    const { hook } = await createToolHook(h.ctx, h.projectId, { ...toolHook, endpointUrl: receiver.url });
    const elsewhere = randomUUID();
    const kept = await createWebhook(h.ctx, elsewhere, { endpointUrl: receiver.url, events: ['request.completed'] });
    await closeProject(h.ctx, h.projectId);
    await expect(requireWebhook(h.ctx, h.projectId, mine.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(requireToolHook(h.ctx, h.projectId, hook.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await requireWebhook(h.ctx, elsewhere, kept.webhook.id)).toMatchObject({ enabled: true });
    const worker = h.startWorker();
    await h.emit({ projectId: elsewhere });
    await h.waitForStatus(kept.webhook.id, 'delivered');
    await cancelLeftovers(h.ctx);
    expect((await h.deliveries(mine.id)).map(({ status }) => status)).toEqual(['failed', 'failed']);
    expect(receiver.deliveries).toHaveLength(1);
    await worker.stop();
  });
});

describe('remaining deliveries of a closed webhook', () => {
  it('fails them in the sweeper without claiming them', async () => {
    const receiver = await h.startReceiver();
    const { id } = await h.createWebhook(receiver.url);
    await h.emit({ customerId: '0' }, { customerId: '0' }, {});
    // Simulates another replica that disables it while the events are being queued.
    await h.database.pool.query('UPDATE webhooks SET enabled = false WHERE id = $1', [id]);
    const worker = h.startWorker({ pollMs: 10 });
    const other = await h.createWebhook(`${receiver.url}other`);
    await h.emit({});
    await h.waitForStatus(other.id, 'delivered');
    expect(receiver.deliveries.map((delivery) => delivery.path)).toEqual(['/other']);
    await cancelLeftovers(h.ctx);
    // Also the event that came while it was disabled, which a recovery can send.
    expect((await h.deliveries(id)).map((delivery) => delivery.status)).toEqual(Array(4).fill('failed'));
    expect(await count('webhook_lanes', 'webhook_id = $1', id)).toBe(0);
    await worker.stop();
  });
});

describe('a new secrets key', () => {
  const key = randomBytes(32);
  const newKeyring = (...ids: string[]) => ({
    currentKeyId: computeKeyId(key),
    keys: new Map([
      [computeKeyId(key), createSecretKey(key)] as const,
      ...[...h.ctx.keyring.keys].filter(([id]) => ids.includes(id)),
    ]),
  });

  it('replaces the old one without changing the secrets of webhooks and tool hooks', async () => {
    const { id, secret } = await h.createWebhook('http://127.0.0.1:9/');
    const { hook, signingSecret } = await createToolHook(h.ctx, h.projectId, {
      ...toolHook,
      endpointUrl: 'http://127.0.0.1:9/',
    });
    const keyring = newKeyring(h.ctx.keyring.currentKeyId);
    expect(await rewrapSecrets({ ...h.ctx, keyring })).toBeGreaterThan(1);
    expect(await rewrapSecrets({ ...h.ctx, keyring })).toBe(0);
    const sealed = [
      [id, secret, (await requireWebhook(h.ctx, h.projectId, id)).secret],
      [hook.id, signingSecret, (await requireToolHook(h.ctx, h.projectId, hook.id)).secret],
    ] as const;
    for (const [recordId, plain, box] of sealed) {
      expect(box.keyId).toBe(keyring.currentKeyId);
      expect(openSecret(newKeyring(), box, recordId)).toBe(plain);
    }
  });

  it('skips secrets of missing and wrong keys and reseals the rest', async () => {
    const broken = await h.createWebhook('http://127.0.0.1:9/');
    await h.database.pool.query(`UPDATE webhooks SET secret_sealed = '\\x00' WHERE id = $1`, [broken.id]);
    const lost = await h.createWebhook('http://127.0.0.1:9/');
    await h.database.pool.query(`UPDATE webhooks SET secret_key_id = 'lost' WHERE id = $1`, [lost.id]);
    await h.createWebhook('http://127.0.0.1:9/');
    const keyring = newKeyring(h.ctx.keyring.currentKeyId);
    expect(await rewrapSecrets({ ...h.ctx, keyring })).toBe(1);
    expect((await requireWebhook(h.ctx, h.projectId, lost.id)).secret.keyId).toBe('lost');
  });
});
