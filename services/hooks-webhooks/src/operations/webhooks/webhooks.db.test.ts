import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { WEBHOOKS_PER_PROJECT_MAX } from '../../domain/webhooks/webhook.js';
import { type Harness, startHarness } from '../../testing/harness.js';
import { createWebhook, deleteWebhook } from './webhooks.js';

let h: Harness;

beforeAll(async () => {
  h = await startHarness(import.meta.url);
});
afterAll(() => h.stop());

const command = { endpointUrl: 'http://127.0.0.1:9/', events: ['request.completed'] };

it('creates no more webhooks than a project can have, however many calls arrive together', async () => {
  const { id } = await h.createWebhook(command.endpointUrl);
  const room = 3;
  await h.database.pool.query(
    `INSERT INTO webhooks (id, project_id, endpoint_url, event_types, enabled, signature_form, retry_schedule,
                           secret_key_id, secret_sealed)
     SELECT gen_random_uuid(), project_id, endpoint_url, event_types, enabled, signature_form, retry_schedule,
            secret_key_id, secret_sealed FROM webhooks, generate_series(2, $2) WHERE id = $1`,
    [id, WEBHOOKS_PER_PROJECT_MAX - room],
  );
  const calls = await Promise.allSettled(Array.from({ length: 20 }, () => createWebhook(h.ctx, h.projectId, command)));
  expect(calls.filter(({ status }) => status === 'fulfilled').length).toBe(room);
  for (const call of calls)
    if (call.status === 'rejected') expect(call.reason).toMatchObject({ code: 'INVALID_INPUT' });
  await createWebhook(h.ctx, randomUUID(), command);
  await deleteWebhook(h.ctx, h.projectId, id);
  await createWebhook(h.ctx, h.projectId, command);
  await expect(createWebhook(h.ctx, h.projectId, command)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});
