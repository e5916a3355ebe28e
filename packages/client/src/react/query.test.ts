import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Query } from './query.js';

interface Request {
  signal: AbortSignal;
  answer(value: number): Promise<void>;
  fail(error: Error): Promise<void>;
}

/** A query whose requests the test answers. */
function makeQuery() {
  const requests: Request[] = [];
  const query = new Query<number>((signal) => {
    const { promise, resolve, reject } = makeDeferred<number>();
    const answer = (value: number) => settle(() => resolve(value));
    requests.push({ signal, answer, fail: (error) => settle(() => reject(error)) });
    return promise;
  });
  return { query, requests };
}

function makeDeferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}

async function settle(act: () => void): Promise<void> {
  act();
  for (let i = 0; i < 5; i++) await Promise.resolve();
}

describe('a query', () => {
  it('sends one request for several subscribers, and shows each the answer', async () => {
    const { query, requests } = makeQuery();
    const [first, second] = [jest.fn(), jest.fn()];
    query.subscribe(first, undefined);
    query.subscribe(second, undefined);
    expect([requests.length, query.getState()]).toEqual([1, { data: undefined, error: undefined, isLoading: true }]);
    await requests[0]?.answer(7);
    expect(query.getState()).toEqual({ data: 7, error: undefined, isLoading: false });
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
  });

  it('keeps the answer when a later request fails, and drops the error when one succeeds', async () => {
    const { query, requests } = makeQuery();
    query.subscribe(jest.fn(), undefined);
    await requests[0]?.answer(7);
    const refreshed = query.refresh();
    expect(query.getState()).toEqual({ data: 7, error: undefined, isLoading: true });
    const error = new Error('no');
    await requests[1]?.fail(error);
    await refreshed;
    expect(query.getState()).toEqual({ data: 7, error, isLoading: false });
    void query.refresh();
    await requests[2]?.answer(8);
    expect(query.getState()).toEqual({ data: 8, error: undefined, isLoading: false });
  });

  it('shares one request between refreshes at the same time', () => {
    const { query, requests } = makeQuery();
    query.subscribe(jest.fn(), undefined);
    expect(query.refresh()).toBe(query.refresh());
    expect(requests.length).toBe(1);
  });

  it('ends its request with the last subscriber, and ignores what arrives later', async () => {
    const { query, requests } = makeQuery();
    const [first, second] = [query.subscribe(jest.fn(), undefined), query.subscribe(jest.fn(), undefined)];
    first();
    expect(requests[0]?.signal.aborted).toBe(false);
    second();
    expect(requests[0]?.signal.aborted).toBe(true);
    query.subscribe(jest.fn(), undefined);
    await requests[1]?.answer(2);
    await requests[0]?.answer(1);
    expect(query.getState().data).toBe(2);
  });
});

describe('refreshing at an interval', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
    Reflect.deleteProperty(globalThis, 'document');
  });

  it('uses the shortest interval of the subscribers, at least a second, until the last one leaves', async () => {
    const { query, requests } = makeQuery();
    const slow = query.subscribe(jest.fn(), 5_000);
    await requests[0]?.answer(1);
    jest.advanceTimersByTime(4_999);
    expect(requests.length).toBe(1);
    const fast = query.subscribe(jest.fn(), 10);
    jest.advanceTimersByTime(999);
    expect(requests.length).toBe(1);
    jest.advanceTimersByTime(1);
    expect(requests.length).toBe(2);
    await requests[1]?.answer(2);
    fast();
    slow();
    jest.advanceTimersByTime(60_000);
    expect(requests.length).toBe(2);
  });

  it('sends nothing while the page is hidden', async () => {
    const { query, requests } = makeQuery();
    query.subscribe(jest.fn(), 1_000);
    await requests[0]?.answer(1);
    Object.assign(globalThis, { document: { visibilityState: 'hidden' } });
    jest.advanceTimersByTime(5_000);
    expect(requests.length).toBe(1);
    Object.assign(globalThis, { document: { visibilityState: 'visible' } });
    jest.advanceTimersByTime(1_000);
    expect(requests.length).toBe(2);
  });
});
