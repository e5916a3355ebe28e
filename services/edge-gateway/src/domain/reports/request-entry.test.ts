import { randomUUID } from 'node:crypto';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { expect, it } from '@jest/globals';
import { UsageRecordedSchema } from '@tollgate/contracts/events/v1/usage_pb.js';
import { toSettledEntry } from './request-entry.js';

const at = new Date('2026-11-23T04:00:00Z');
const holdId = randomUUID();

function settled(message: MessageInitShape<typeof UsageRecordedSchema>) {
  return toSettledEntry(create(UsageRecordedSchema, { holdId, ...message }), at);
}

it.each([
  ['succeeded', { facts: { success: true } }],
  ['failed', { facts: { success: false, errorCode: 'PROVIDER_ERROR' }, providerMicrocents: 1n }],
  ['unreported', { unreconciledMicrocents: 1n, providerMicrocents: 1n }],
  ['unreported', {}],
  ['succeeded', { providerMicrocents: 1n }],
])('returns the status %s for %j', (status, message) => {
  expect(settled(message).status).toBe(status);
});

it("keeps the request id only if it is the client's own", () => {
  expect(settled({ requestId: 'mine' }).clientRequestId).toBe('mine');
  expect(settled({ requestId: holdId }).clientRequestId).toBeNull();
});

it('takes tokens, money, latency and identity from the event', () => {
  const message = {
    customerId: 'c',
    keyId: 'k',
    modelId: 'm',
    provider: 'p',
    usage: { inputTokens: 1n, outputTokens: 2n, estimated: true },
    customerMicrocents: 3n,
    providerMicrocents: 4n,
    facts: { success: true, streaming: true, durationMs: 5n, firstOutputMs: 0n, executionOrigin: 'response_cache' },
  };
  expect(settled(message)).toMatchObject({
    at,
    customerId: 'c',
    keyId: 'k',
    tierCode: null,
    model: 'm',
    provider: 'p',
    inputTokens: 1n,
    outputTokens: 2n,
    isEstimated: true,
    isStream: true,
    isCached: true,
    revenueMicrocents: 3n,
    costMicrocents: 4n,
    durationMs: 5n,
    firstOutputMs: 0n,
  });
});

it('counts the cost of own connections, and names the connection of each call', () => {
  const attempt = { provider: 'custom', connection: 'mine', upstreamModel: 'x', outcome: 'answered', isOwn: true };
  const usage = { ownProviderMicrocents: 5n };
  const entry = settled({ usage, providerMicrocents: 4n, facts: { success: true, attempts: [attempt] } });
  expect(entry.costMicrocents).toBe(9n);
  expect(entry.detail?.attempts).toMatchObject([{ connection: 'mine', isOwn: true }]);
});

it('keeps a duration of less than a millisecond', () => {
  expect(settled({ facts: { success: true, durationMs: 0n } }).durationMs).toBe(0n);
  expect(settled({ facts: { success: false, status: 499 } }).durationMs).toBeNull();
  expect(settled({}).durationMs).toBeNull();
});

it('takes the calls to providers, the time of the admission and the trace', () => {
  const failed = {
    provider: 'xai',
    upstreamModel: 'a',
    outcome: 'failed',
    durationMs: 7,
    failure: 'response',
    status: 503,
  };
  const answered = { provider: 'openai', upstreamModel: 'b', outcome: 'answered', durationMs: 8 };
  const message = { holdId, facts: { success: true, admissionMs: 3, attempts: [failed, answered] } };
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const entry = toSettledEntry(create(UsageRecordedSchema, message), at, `00-${trace}-b7ad6b7169203331-01`);
  expect(entry.traceId).toBe(trace);
  expect(entry.detail).toEqual({
    admissionMs: 3,
    attempts: [
      { provider: 'xai', model: 'a', outcome: 'failed', durationMs: 7, failure: 'response', status: 503 },
      { provider: 'openai', model: 'b', outcome: 'answered', durationMs: 8 },
    ],
  });
});

it('has no detail and no trace if the event has none', () => {
  expect(settled({ facts: { success: true } })).toMatchObject({ detail: null, traceId: null });
});
