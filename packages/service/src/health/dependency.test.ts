import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { silentLogger } from '@tollgate/runtime';
import { type ControllableClock, controllableClock } from '@tollgate/testkit';
import { CHECK_TIMEOUT_MS, Dependency, DOWN_AFTER_MS } from './dependency.js';
import { Unhealthy } from './reason.js';

let clock: ControllableClock;
let answer: () => Promise<string | undefined>;
let dependency: Dependency;

beforeEach(() => {
  clock = controllableClock();
  answer = async () => undefined;
  const check = () => answer();
  dependency = new Dependency({ name: 'kafka', effect: 'events wait in the outbox', check }, clock, silentLogger);
});

const fails = (error: Error) => async (): Promise<never> => {
  throw error;
};

describe('Dependency', () => {
  it('has no report before its first check', async () => {
    expect(dependency.report).toBeUndefined();
    await dependency.refresh();
    expect(dependency.report).toEqual({ name: 'kafka', state: 'up', since: clock.now() });
  });

  it('becomes degraded by a moment of failure, down by lasting failure, and up by one success', async () => {
    answer = fails(new Error('connect ECONNREFUSED 127.0.0.1:9092'));
    const failedAt = clock.now();
    await dependency.refresh();
    const reason = 'connection refused; events wait in the outbox';
    expect(dependency.report).toEqual({ name: 'kafka', state: 'degraded', reason, since: failedAt });
    clock.advance({ ms: DOWN_AFTER_MS - 1 });
    await dependency.refresh();
    expect(dependency.report?.state).toBe('degraded');
    clock.advance({ ms: 1 });
    await dependency.refresh();
    expect(dependency.report).toEqual({ name: 'kafka', state: 'down', reason, since: failedAt });
    clock.advance({ seconds: 1 });
    answer = async () => undefined;
    await dependency.refresh();
    expect(dependency.report).toEqual({ name: 'kafka', state: 'up', since: clock.now() });
  });

  it('becomes down after the same time of failure when the wall clock steps', async () => {
    answer = fails(new Error('no'));
    const failedAt = clock.now();
    await dependency.refresh();
    clock.set(new Date(clock.nowMs() + 3_600_000));
    await dependency.refresh();
    expect(dependency.report?.state).toBe('degraded');
    clock.set(new Date(clock.nowMs() - 7_200_000));
    clock.advance({ ms: DOWN_AFTER_MS });
    await dependency.refresh();
    expect(dependency.report).toMatchObject({ state: 'down', since: failedAt });
  });

  it('measures failures from the first after a success', async () => {
    answer = fails(new Error('no'));
    await dependency.refresh();
    answer = async () => undefined;
    await dependency.refresh();
    clock.advance({ ms: DOWN_AFTER_MS });
    answer = fails(new Error('no'));
    await dependency.refresh();
    expect(dependency.report?.state).toBe('degraded');
  });

  it('stays degraded while it works only in part', async () => {
    answer = async () => 'routes of openai fail';
    await dependency.refresh();
    const since = clock.now();
    clock.advance({ ms: 10 * DOWN_AFTER_MS });
    await dependency.refresh();
    expect(dependency.report).toEqual({ name: 'kafka', state: 'degraded', reason: 'routes of openai fail', since });
  });

  it('names no reason against readiness unless it is required and down', async () => {
    const required = new Dependency(
      { name: 'database', isRequired: true, check: fails(new Unhealthy('the database is read-only')) },
      clock,
      silentLogger,
    );
    answer = fails(new Error('no'));
    await Promise.all([required.refresh(), dependency.refresh()]);
    expect(required.notReadyBecause).toBeUndefined();
    clock.advance({ ms: DOWN_AFTER_MS });
    await Promise.all([required.refresh(), dependency.refresh()]);
    expect(required.notReadyBecause).toBe('database: the database is read-only');
    expect(dependency.notReadyBecause).toBeUndefined();
  });

  it('starts no second check while a check hangs', async () => {
    let started = 0;
    let finish = (): void => undefined;
    answer = () => {
      started++;
      return new Promise((resolve) => {
        finish = () => resolve(undefined);
      });
    };
    jest.useFakeTimers();
    const first = dependency.refresh();
    await jest.advanceTimersByTimeAsync(CHECK_TIMEOUT_MS);
    await first;
    jest.useRealTimers();
    expect(dependency.report).toMatchObject({ state: 'degraded', reason: 'no answer; events wait in the outbox' });
    const second = dependency.refresh();
    finish();
    await second;
    expect(started).toBe(1);
    expect(dependency.report?.state).toBe('up');
  });
});
