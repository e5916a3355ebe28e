import { describe, expect, it } from '@jest/globals';
import { newOrderedId } from '@tollgate/runtime';
import { decodeEvent, newEvent, readEventFlag, readEventText } from './event.js';
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
    const id = newOrderedId();
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

describe('readEventText', () => {
  const message = { requestId: 'r', projectId: 'p', facts: { modelId: 'm' } };
  const event = newEvent(eventTypes.requestCompleted, { key: 'c1', message });

  it('returns one text of the message', () => {
    expect(readEventText(eventTypes.requestCompleted, event, 'projectId')).toBe('p');
    expect(readEventText(eventTypes.requestCompleted, event, 'tierCode')).toBe('');
  });

  it('returns the last value of a field that is written twice, as decoding does', () => {
    const again = newEvent(eventTypes.requestCompleted, { key: 'c1', message: { projectId: 'q' } });
    const both = { ...event, payload: Buffer.concat([event.payload, again.payload]) };
    expect(readEventText(eventTypes.requestCompleted, both, 'projectId')).toBe('q');
    expect(decodeEvent(eventTypes.requestCompleted, both).projectId).toBe('q');
  });

  it('rejects an event of another type, and bytes that are not a message', () => {
    expect(() => readEventText(eventTypes.usageRecorded, event, 'projectId')).toThrow('Expected an event');
    const broken = { ...event, payload: event.payload.subarray(0, -1) };
    expect(() => readEventText(eventTypes.requestCompleted, broken, 'projectId')).toThrow();
  });
});

describe('readEventFlag', () => {
  const readFlag = (message: { completesRequest?: boolean }) =>
    readEventFlag(
      eventTypes.usageRecorded,
      newEvent(eventTypes.usageRecorded, { key: 'a', message: { requestId: 'r', ...message } }),
      'completesRequest',
    );

  it('returns one flag of the message, false if it is absent', () => {
    expect(readFlag({ completesRequest: true })).toBe(true);
    expect(readFlag({})).toBe(false);
  });
});
