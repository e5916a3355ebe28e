import { getEventListeners } from 'node:events';
import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { elapsed } from '@tollgate/runtime';
import { type Call, DEADLINE_SHAVE_MS, DEFAULT_TIMEOUT_MS, deadlineExceeded, receivedCall, startCall } from './call.js';

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
    expect(first.abortReason).toBe('left');
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

describe('onAbort', () => {
  it('leaves nothing at the source of a call that is aborted', () => {
    const client = AbortSignal.abort('gone');
    expect(listen(startCall({ signal: client })).count).toBe(0);
    expect(getEventListeners(client, 'abort')).toHaveLength(0);
  });
});

describe('offAbort', () => {
  it('ignores a listener of a call that has none', () => {
    expect(() => startCall().offAbort(() => undefined)).not.toThrow();
  });

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

describe('the signal of a call', () => {
  it('follows the source after the last listener has left', () => {
    const { first, last } = chain();
    const { signal } = last;
    const heard = listen(last);
    last.offAbort(heard.listener);
    first.abort('left');
    expect([heard.count, signal.aborted, signal.reason]).toEqual([0, true, 'left']);
  });

  it('stays the same at every read', () => {
    const { last } = chain();
    expect(last.signal).toBe(last.signal);
  });

  it('has the reason of an external signal that was aborted before', () => {
    const { last } = chain(AbortSignal.abort('gone'));
    expect([last.isAborted, last.signal.aborted, last.signal.reason]).toEqual([true, true, 'gone']);
  });

  it('notifies listeners again after all earlier ones have left', () => {
    const client = new AbortController();
    const call = startCall({ signal: client.signal });
    call.offAbort(listen(call).listener);
    const heard = listen(call);
    call.offAbort(() => undefined);
    client.abort();
    expect(heard.count).toBe(1);
  });
});

describe('a deadline', () => {
  /** Returns how long the call may last, as lower and upper bound of the moment when it was made. */
  function measure(make: () => Call): { least: number; most: number } {
    const before = elapsed();
    const { deadline } = make();
    return { least: deadline - elapsed(), most: deadline - before };
  }

  it.each<[string, () => Call, number]>([
    ['of a call without a limit', () => startCall(), DEFAULT_TIMEOUT_MS],
    ['of a call with a limit', () => startCall({ timeoutMs: 700 }), 700],
    ['of a received call, a little earlier', () => receivedCall('r', undefined, 700), 700 - DEADLINE_SHAVE_MS],
    ['of a detached call, later than its parent', () => startCall({ timeoutMs: 5 }).detached(700), 700],
  ])('counts from now: that %s', (_whose, make, ms) => {
    const { least, most } = measure(make);
    expect(least).toBeLessThanOrEqual(ms);
    expect(most).toBeGreaterThanOrEqual(ms);
  });

  it('shows whole milliseconds, not positive once it has passed', () => {
    expect(Number.isInteger(startCall().remainingMs())).toBe(true);
    expect(startCall().remainingMs()).toBeLessThanOrEqual(DEFAULT_TIMEOUT_MS);
    expect(startCall({ timeoutMs: -5 }).remainingMs()).toBeLessThanOrEqual(-5);
    expect(receivedCall('r', undefined, DEADLINE_SHAVE_MS).remainingMs()).toBeLessThanOrEqual(0);
  });

  it('fails a call with a message for customers, and the method in the cause', () => {
    const cause = new Error('socket');
    expect(deadlineExceeded('/billing/Admit', cause)).toMatchObject({
      code: 'RELAY_TIMEOUT',
      message: 'the request was not answered in time',
      cause: { message: 'deadline exceeded in /billing/Admit', cause },
    });
  });
});

describe('the identity of a call', () => {
  const principal = create(PrincipalSchema, { kind: PrincipalKind.CUSTOMER, accountId: 'a' });

  it('passes to detached and traced calls, which differ in their trace', () => {
    const call = startCall({ requestId: 'r', principal, traceparent: '00-a-b-01' });
    expect(call.detached(5)).toMatchObject({ requestId: 'r', principal, traceparent: '00-a-b-01' });
    const traced = call.traced('00-a-c-01');
    expect(traced).toMatchObject({ requestId: 'r', principal, deadline: call.deadline, traceparent: '00-a-c-01' });
    call.abort('left');
    expect(traced.isAborted).toBe(true);
  });

  it('refuses a call without one where one is needed', () => {
    expect(startCall({ principal }).requirePrincipal()).toBe(principal);
    const refusal = { code: 'UNAUTHORIZED', message: 'credentials required' };
    expect(() => startCall().requirePrincipal()).toThrow(expect.objectContaining(refusal));
  });

  it('has an id of its own when the caller gives none', () => {
    expect(startCall().requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(startCall().requestId).not.toBe(startCall().requestId);
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
