import { describe, expect, it } from '@jest/globals';
import { decodeEvent, newEvent } from './event.js';
import { newEventId } from './event-id.js';
import { eventTypes } from './event-types.js';

describe('newEvent', () => {
  it('carries type and topic of its kind and the encoded message', () => {
    const message = { customerId: 'c1', projectId: 'p1' };
    const event = newEvent(eventTypes.customerCreated, { key: 'c1', message, requestId: 'r1' });
    const expected = { type: 'customer.created', topic: 'tollgate.customers.v1', key: 'c1', requestId: 'r1' };
    expect(event).toMatchObject(expected);
    expect(decodeEvent(eventTypes.customerCreated, event)).toMatchObject(message);
  });

  it('keeps a given id, so that every attempt is the same event', () => {
    const id = newEventId();
    const event = newEvent(eventTypes.usageRecorded, { key: 'a', message: {}, id });
    expect(event.id).toBe(id);
  });
});

describe('decodeEvent', () => {
  it('rejects an event of another type, even when its bytes can be decoded', () => {
    const event = newEvent(eventTypes.customerCreated, { key: 'c1', message: { customerId: 'c1' } });
    expect(() => decodeEvent(eventTypes.customerDeleted, event)).toThrow(
      /Expected an event customer.deleted, got customer.created/,
    );
  });

  it('rejects bytes that are not such a message', () => {
    const event = { type: 'customer.created', payload: Uint8Array.of(10, 200, 1) };
    expect(() => decodeEvent(eventTypes.customerCreated, event)).toThrow();
  });
});

describe('eventTypes', () => {
  it('names every type once, on a versioned topic', () => {
    const all = Object.values(eventTypes);
    expect(new Set(all.map(({ type }) => type)).size).toBe(all.length);
    for (const { type, topic } of all) {
      expect(type).toMatch(/^[a-z]+\.[a-z_]+$/);
      expect(topic).toMatch(/^tollgate\.[a-z]+\.v1$/);
    }
  });
});

describe('newEventId', () => {
  it('generates UUIDs of version 7 that sort by time', () => {
    const [early, late] = [newEventId(1_700_000_000_000), newEventId(1_700_000_000_001)];
    expect(early).toMatch(/^018bcfe5-6800-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(early < late).toBe(true);
  });
});
