import { getEventListeners } from 'node:events';
import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type Call, receivedCall, startCall } from './call.js';

/** A call of an external request, the call that a service received for it, and a call that it makes itself. */
function chain(signal?: AbortSignal): { first: Call; last: Call } {
  const first = startCall({ signal });
  const received = receivedCall(first.requestId, undefined, 1_000, undefined, first);
  return { first, last: received.with({ timeoutMs: 500 }) };
}

function listen(call: Call): { count: number; listener: () => void } {
  const heard = {
    count: 0,
    listener: () => {
      heard.count++;
    },
  };
  call.onAbort(heard.listener);
  return heard;
}

describe('an aborted call', () => {
  it('notifies each listener of itself and of the calls made for it once', () => {
    const { first, last } = chain();
    const heard = [listen(first), listen(last), listen(last)];
    const { signal } = last;
    first.abort('left');
    first.abort('again');
    expect(heard.map(({ count }) => count)).toEqual([1, 1, 1]);
    expect([last.isAborted, last.abortReason, signal.aborted, signal.reason]).toEqual([true, 'left', true, 'left']);
  });

  it('does not abort the call that it was made for', () => {
    const { first, last } = chain();
    last.abort('cut');
    expect([first.isAborted, first.abortReason]).toEqual([false, undefined]);
  });

  it('has its reason even if nothing listened', () => {
    const { first, last } = chain();
    first.abort('left');
    expect([last.isAborted, last.abortReason, last.signal.reason]).toEqual([true, 'left', 'left']);
    expect(listen(last).count).toBe(0);
  });

  it('leaves detached calls alone', () => {
    const { first, last } = chain();
    const detached = last.detached(1_000);
    const heard = listen(detached);
    first.abort('left');
    expect([heard.count, detached.isAborted]).toEqual([0, false]);
  });

  it('follows a signal', () => {
    const client = new AbortController();
    const { last } = chain(client.signal);
    const heard = listen(last);
    client.abort('socket closed');
    expect([heard.count, last.abortReason]).toEqual([1, 'socket closed']);
  });
});

describe('offAbort', () => {
  it('ends the notification of its listener', () => {
    const { first, last } = chain();
    const heard = listen(last);
    last.offAbort(heard.listener);
    first.abort('left');
    expect(heard.count).toBe(0);
  });

  it('leaves nothing behind at a source that lives longer', () => {
    const client = new AbortController();
    const { last } = chain(client.signal);
    const heard = [listen(last), listen(last)];
    last.offAbort(heard[0]!.listener);
    expect(getEventListeners(client.signal, 'abort')).toHaveLength(1);
    last.offAbort(heard[1]!.listener);
    expect(getEventListeners(client.signal, 'abort')).toHaveLength(0);
  });
});

describe('a call made with another time limit', () => {
  it('ends no later than the call that it is made for', () => {
    const first = startCall({ timeoutMs: 500 });
    expect(first.with({ timeoutMs: 60_000 }).deadline).toBe(first.deadline);
    expect(first.with({ timeoutMs: 60_000 }).with({ timeoutMs: 50_000 }).deadline).toBe(first.deadline);
  });

  it('ends earlier when its own limit is shorter', () => {
    const first = startCall({ timeoutMs: 60_000 });
    const second = first.with({ timeoutMs: 500 });
    expect(second.remainingMs()).toBeLessThanOrEqual(500);
    expect(second.deadline).toBeLessThan(first.deadline);
  });

  it('has the same deadline when only the identity changes', () => {
    const first = startCall({ requestId: 'r', timeoutMs: 500, traceparent: '00-a-b-01' });
    const principal = create(PrincipalSchema, { kind: PrincipalKind.CUSTOMER, accountId: 'a' });
    const second = first.with({ principal });
    expect(second).toMatchObject({ requestId: 'r', deadline: first.deadline, principal, traceparent: '00-a-b-01' });
    expect(second.with({}).principal).toBe(principal);
  });
});
