import { describe, expect, it } from '@jest/globals';
import { toBackgroundResponseId } from '@tollgate/api/compatible';
import {
  NO_ITEMS,
  readItems,
  readLastResponse,
  toFirstEvents,
  toItemEnds,
  toLastEvent,
  toNextEvent,
} from './background-events.js';
import { backgroundLimits } from './background-request.js';

const UUID = '0193f0c5-5a5e-7a54-9a51-222222222222';
const id = toBackgroundResponseId(UUID);
const next = (event: object, seq = 9, itemsBefore = 0, isFirst = true) => {
  const converted = toNextEvent(event as Record<string, unknown>, UUID, seq, { isFirst, itemsBefore });
  return converted && JSON.parse(converted.json);
};

it('starts a stream with the queued response', () => {
  const response = { id, status: 'queued' };
  const events = toFirstEvents(JSON.stringify(response));
  expect(events.map(({ seq, type }) => [seq, type])).toEqual([
    [0, 'response.created'],
    [1, 'response.queued'],
  ]);
  expect(JSON.parse(events[1]!.json)).toEqual({ type: 'response.queued', response, sequence_number: 1 });
});

it.each([
  ['completed', 'response.completed'],
  ['incomplete', 'response.incomplete'],
  ['failed', 'response.failed'],
  ['cancelled', 'response.incomplete'],
])('ends the stream of a response that is %s with %s', (status, type) => {
  const last = toLastEvent(JSON.stringify({ status }), 7);
  expect(last).toMatchObject({ type, seq: 7 });
  expect(JSON.parse(last.json)).toEqual({ type, response: { status }, sequence_number: 7 });
});

describe('an event of an attempt', () => {
  it('gets the next number of its response, whose items follow those of lost attempts', () => {
    const event = { type: 'response.output_text.delta', sequence_number: 2, output_index: 1, delta: 'a' };
    expect(next(event, 9, 3)).toEqual({ ...event, sequence_number: 9, output_index: 4 });
  });

  it('starts the response in the first attempt alone', () => {
    const event = { type: 'response.in_progress', response: {} };
    expect(next(event, 2)).toMatchObject({ type: event.type });
    expect(next(event, 9, 0, false)).toBeUndefined();
  });

  it.each(['response.created', 'response.queued', 'error'])('has no place in the stream as %s', (type) => {
    expect(next({ type })).toBeUndefined();
  });

  it('names its response, without the long members of the request', () => {
    const response = { id: 'resp_cached', instructions: 'x'.repeat(backgroundLimits.endedHeadBytes), output: [] };
    const event = next({ type: 'response.in_progress', response });
    expect(event.response).toMatchObject({ id, background: true, instructions: null, output: [] });
  });
});

it('ends the items that a lost attempt has left open, and counts all', () => {
  const event = (type: string, index: number) => {
    const item = { id: `item_${index}`, status: 'in_progress', content: [] };
    return { seq: 1, type, json: JSON.stringify({ type, output_index: index, item }) };
  };
  const added = 'response.output_item.added';
  const done = 'response.output_item.done';
  const first = readItems(NO_ITEMS, [event(added, 0), event(done, 0), event(added, 1)]);
  const items = readItems(first, [event('response.output_text.delta', 9), event(added, 2), event(done, 1)]);
  expect(items.count).toBe(3);
  const ends = toItemEnds(items, 7);
  expect(ends).toMatchObject([{ seq: 7, type: done }]);
  expect(JSON.parse(ends[0]!.json)).toEqual({
    type: done,
    output_index: 2,
    item: { id: 'item_2', status: 'incomplete', content: [] },
    sequence_number: 7,
  });
});

it('reads the response of a last event alone', () => {
  expect(readLastResponse({ type: 'response.completed', response: { id } })).toBe(JSON.stringify({ id }));
  expect(readLastResponse({ type: 'response.in_progress', response: { id } })).toBeUndefined();
});
