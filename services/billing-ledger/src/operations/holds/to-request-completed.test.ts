import { expect, it } from '@jest/globals';
import { decodeEvent, type EventRecord, eventTypes, newEvent } from '@tollgate/events';
import { toRequestCompleted } from './to-request-completed.js';

const usage = {
  requestId: 'r-1',
  projectId: 'p-1',
  customerId: 'c-1',
  tierId: 't-1',
  tierCode: 'pro',
  facts: { responseId: 'resp-1', success: true },
  usage: { inputTokens: 5n, outputTokens: 2n },
  customerMicrocents: 7n,
};

function recorded(message: Partial<typeof usage> & { completesRequest?: boolean }): EventRecord {
  const event = newEvent(eventTypes.usageRecorded, { key: 'a-1', requestId: 'r-1', message: { ...usage, ...message } });
  return { ...event, source: '/tollgate/billing-ledger' };
}

it('makes request.completed from the usage of a completed request, with the same id', () => {
  const event = recorded({ completesRequest: true });
  const completed = toRequestCompleted(event)!;
  expect(completed).toMatchObject({
    id: event.id,
    source: '/tollgate/billing-ledger/requests',
    topic: 'tollgate.requests.v1',
    type: 'request.completed',
    key: 'c-1',
    requestId: 'r-1',
    occurredAt: event.occurredAt,
  });
  const { customerMicrocents: _, ...expected } = usage;
  expect(decodeEvent(eventTypes.requestCompleted, completed)).toMatchObject(expected);
});

it("uses the project as the key of an owner's request", () => {
  expect(toRequestCompleted(recorded({ completesRequest: true, customerId: '' }))).toMatchObject({ key: 'p-1' });
});

it('makes nothing from other events', () => {
  expect(toRequestCompleted(recorded({}))).toBeUndefined();
  const corrected = newEvent(eventTypes.usageCorrected, { key: 'a-1', message: { ...usage, completesRequest: true } });
  expect(toRequestCompleted({ ...corrected, source: '/tollgate/billing-ledger' })).toBeUndefined();
});
