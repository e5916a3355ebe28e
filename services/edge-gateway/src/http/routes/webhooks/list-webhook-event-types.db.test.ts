import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { listWebhookEventTypesResponse, webhookEventSchemas, webhookEventTypes } from '@tollgate/api/hooks';
import request from 'supertest';
import { type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { listWebhookEventTypes } from './list-webhook-event-types.js';

let harness: RouteTest;
beforeAll(async () => {
  harness = await startRouteTest(import.meta.url, [listWebhookEventTypes], []);
});
afterAll(() => harness.stop());

const get = (token: string) =>
  request(harness.app).get('/api/v1/webhook-event-types').set('Authorization', `Bearer ${token}`);

it('lists every event type with a description, a schema and an example that fits it', async () => {
  for (const token of [harness.tenant.ownerToken, harness.tenant.secretKey]) {
    const { status, body } = await get(token);
    expect(status).toBe(200);
    const { event_types: listed } = listWebhookEventTypesResponse.parse(body);
    expect(listed.map(({ type }) => type)).toEqual([...webhookEventTypes]);
    for (const { type, description, schema, example } of listed) {
      expect(description).not.toBe('');
      expect(schema).toMatchObject({ type: 'object', required: expect.arrayContaining(['event_type', 'data']) });
      expect(webhookEventSchemas[type].safeParse(example).error).toBeUndefined();
      expect(example).toMatchObject({ event_type: type });
    }
  }
});

it('requires a credential', async () => {
  expect((await request(harness.app).get('/api/v1/webhook-event-types')).status).toBe(401);
});
