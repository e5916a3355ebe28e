import * as grpc from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { DEADLINE_SHAVE_MS, DEFAULT_TIMEOUT_MS, startCall } from './call.js';
import { fromServerCall, toMetadata } from './call-metadata.js';

/** A call as grpc-js offers it to a handler: without `grpc-timeout`, with a deadline by the wall clock. */
function received(metadata: grpc.Metadata, deadline: Date | number = Number.POSITIVE_INFINITY) {
  metadata.remove('grpc-timeout');
  return fromServerCall({ metadata, getDeadline: () => deadline, cancelled: false, on: () => undefined });
}

/** About `timeoutMs`, less what the callee keeps for its answer and what this test has taken. */
function expectAbout(remainingMs: number, timeoutMs: number): void {
  expect(remainingMs).toBeLessThanOrEqual(timeoutMs - DEADLINE_SHAVE_MS);
  expect(remainingMs).toBeGreaterThan(timeoutMs - 60_000);
}

describe('the time limit of a gRPC call', () => {
  it('sends the time limit as a duration', () => {
    const metadata = toMetadata(startCall({ timeoutMs: 600_000 }));
    const [sent] = metadata.get('grpc-timeout');
    expect(sent).toEqual(expect.stringMatching(/^\d{1,8}m$/));
    expectAbout(Number.parseInt(String(sent), 10) - DEADLINE_SHAVE_MS, 600_000);
  });

  it('sends at most what the protocol can express', () => {
    expect(toMetadata(startCall({ timeoutMs: 1e12 })).get('grpc-timeout')).toEqual(['99999999m']);
  });

  it('reads the limit from the duration, whatever the wall-clock deadline says', () => {
    const metadata = toMetadata(startCall({ timeoutMs: 600_000 }));
    expectAbout(received(metadata, Date.now() - 3_600_000).remainingMs(), 600_000);
  });

  it.each([(at: number) => at, (at: number) => new Date(at)])(
    'reads the limit from the deadline of a caller that sends only grpc-timeout (%#)',
    (toDeadline) => {
      expectAbout(received(new grpc.Metadata(), toDeadline(Date.now() + 600_000)).remainingMs(), 600_000);
    },
  );

  it.each(['', '-5', '1e9', '999999999', 'soon'])(
    'reads the limit from the deadline when the duration is %j',
    (text) => {
      const metadata = new grpc.Metadata();
      metadata.set('tollgate-timeout-ms', text);
      expectAbout(received(metadata, Date.now() + 600_000).remainingMs(), 600_000);
    },
  );

  it('uses a default for a caller that sends none', () => {
    const remainingMs = received(new grpc.Metadata()).remainingMs();
    expect(remainingMs).toBeLessThanOrEqual(DEFAULT_TIMEOUT_MS - DEADLINE_SHAVE_MS);
    expect(remainingMs).toBeGreaterThan(0);
  });
});
