import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { EventHead } from '../../domain/webhooks/webhook-event.js';
import { type Harness, startHarness } from '../../testing/harness.js';
import { fanOutEvents } from './fan-out-events.js';

let h: Harness;
beforeAll(async () => {
  h = await startHarness(import.meta.url);
  await h.createWebhook('http://127.0.0.1:9/', { events: ['request.completed'] });
});
afterAll(() => h.stop());

function unreadable(head: Pick<EventHead, 'type' | 'projectId'>): EventHead {
  return {
    ...head,
    read() {
      throw new Error('this event was read');
    },
  };
}

it('reads no event that no endpoint receives', async () => {
  const otherProject = unreadable({ type: 'request.completed', projectId: randomUUID() });
  const otherType = unreadable({ type: 'customer.created', projectId: h.projectId });
  expect(await fanOutEvents(h.ctx, [otherProject, otherType])).toBe(0);
  const wanted = unreadable({ type: 'request.completed', projectId: h.projectId });
  await expect(fanOutEvents(h.ctx, [otherProject, wanted])).rejects.toThrow('this event was read');
});

it('queues every event of a batch of several transactions, once', async () => {
  const heads = Array.from({ length: 201 }, (): EventHead => {
    const event = { id: randomUUID(), type: 'request.completed' as const, projectId: h.projectId };
    return { ...event, read: () => ({ ...event, occurredAt: new Date(), data: {} }) };
  });
  expect(await fanOutEvents(h.ctx, heads)).toBe(heads.length);
  expect(await fanOutEvents(h.ctx, heads)).toBe(0);
});
