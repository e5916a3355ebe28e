import { describe, expect, it } from '@jest/globals';
import {
  ATTEMPTS_MAX,
  type AttemptOutcome,
  type AttemptResult,
  allotSlots,
  applyOutcomes,
  type EndpointDemand,
  judgeAttempt,
  retrySchedules,
  type Verdict,
} from './delivery.js';

const endpoint = (webhookId: string, ready: number, busy = 0, isFailing = false): EndpointDemand => ({
  webhookId,
  ready,
  busy,
  isFailing,
});
const allot = (demands: EndpointDemand[], total: number, failing = total, endpointMax = 4) => {
  const { quotas, lastServed } = allotSlots(demands, { total, failing }, endpointMax);
  return { quotas: Object.fromEntries(quotas), lastServed };
};

describe('allotting slots to endpoints', () => {
  it('gives each endpoint one slot before any gets two', () => {
    expect(allot([endpoint('a', 100), endpoint('b', 1), endpoint('c', 2)], 4).quotas).toEqual({ a: 2, b: 1, c: 1 });
  });

  it('keeps within the limit of one endpoint, counting running attempts', () => {
    expect(allot([endpoint('a', 100, 3), endpoint('b', 100, 4), endpoint('c', 100)], 50).quotas).toEqual({
      a: 1,
      c: 4,
    });
  });

  it('gives a failing endpoint one attempt at a time', () => {
    expect(allot([endpoint('a', 100, 0, true), endpoint('b', 100, 1, true)], 50).quotas).toEqual({ a: 1 });
  });

  it('reserves the slots above the failing share for healthy endpoints', () => {
    const dead = ['a', 'b', 'c', 'd'].map((id) => endpoint(id, 9, 0, true));
    expect(allot([...dead, endpoint('z', 9)], 4, 2).quotas).toEqual({ a: 1, b: 1, z: 2 });
  });

  it('returns the last considered endpoint, after which the next round starts', () => {
    expect(allot([endpoint('a', 9), endpoint('b', 9), endpoint('c', 9)], 2)).toEqual({
      quotas: { a: 1, b: 1 },
      lastServed: 'b',
    });
    expect(allot([endpoint('a', 9), endpoint('b', 0)], 9).lastServed).toBe('b');
    expect(allot([], 9)).toEqual({ quotas: {}, lastServed: undefined });
  });
});

const now = new Date('2026-01-01T00:00:00Z');
const answered = (status: number, retryAfter?: string): AttemptResult => ({ kind: 'answered', status, retryAfter });
const unreachable: AttemptResult = { kind: 'unreachable', error: 'timed out' };
const summary = (verdict: Verdict): string => {
  if (verdict.outcome === 'retry') return `retry in ${verdict.delayMs}`;
  return verdict.outcome === 'failed' && verdict.isGone ? 'failed, gone' : verdict.outcome;
};

describe('the schedules of the specification', () => {
  it.each([
    ['standard', 30_000, [0, 60_000, 300_000, 1_800_000, 7_200_000]],
    ['fast', 5_000, [0, 1_000, 2_000, 4_000, 8_000]],
  ] as const)('has five attempts and the specified timeout and delays for %s', (name, timeoutMs, delaysMs) => {
    expect(retrySchedules[name]).toEqual({ timeoutMs, delaysMs });
    expect(retrySchedules[name].delaysMs).toHaveLength(ATTEMPTS_MAX);
  });

  it.each([
    ['standard', 1, 'retry in 60000'],
    ['standard', 2, 'retry in 300000'],
    ['standard', 3, 'retry in 1800000'],
    ['standard', 4, 'retry in 7200000'],
    ['standard', 5, 'failed'],
    ['fast', 1, 'retry in 1000'],
    ['fast', 2, 'retry in 2000'],
    ['fast', 3, 'retry in 4000'],
    ['fast', 4, 'retry in 8000'],
    ['fast', 5, 'failed'],
  ] as const)('decides in %s after failed attempt %i: %s', (schedule, attempt, expected) => {
    for (const result of [unreachable, answered(500)]) {
      expect(summary(judgeAttempt(retrySchedules[schedule], attempt, result, now))).toBe(expected);
    }
  });
});

describe('judgeAttempt on the first attempt', () => {
  it.each<[string, AttemptResult, string]>([
    ['200', answered(200), 'delivered'],
    ['202', answered(202), 'delivered'],
    ['204', answered(204), 'delivered'],
    ['299', answered(299), 'delivered'],
    ['301, since redirects are not followed', answered(301), 'retry in 1000'],
    ['304', answered(304), 'retry in 1000'],
    ['307', answered(307), 'retry in 1000'],
    ['400', answered(400), 'failed'],
    ['401', answered(401), 'failed'],
    ['404', answered(404), 'failed'],
    ['410', answered(410), 'failed, gone'],
    ['422', answered(422), 'failed'],
    ['499', answered(499), 'failed'],
    ['408', answered(408), 'retry in 1000'],
    ['429', answered(429), 'retry in 1000'],
    ['500', answered(500), 'retry in 1000'],
    ['501', answered(501), 'retry in 1000'],
    ['503', answered(503), 'retry in 1000'],
    ['599', answered(599), 'retry in 1000'],
    ['no answer', unreachable, 'retry in 1000'],
    ['a crash of the service', { kind: 'interrupted' }, 'retry in 0'],
  ])('decides the outcome of a first attempt that ends with %s', (_name, result, expected) => {
    expect(summary(judgeAttempt(retrySchedules.fast, 1, result, now))).toBe(expected);
  });

  it('allows no sixth attempt', () => {
    for (const result of [unreachable, answered(429, '1'), answered(503), { kind: 'interrupted' } as const]) {
      expect(judgeAttempt(retrySchedules.standard, ATTEMPTS_MAX, result, now).outcome).toBe('failed');
    }
  });
});

describe('Retry-After', () => {
  it.each([
    ['the slot when Retry-After is shorter', 429, '10', 60_000],
    ['a Retry-After that is longer than the slot', 429, '90', 90_000],
    ['at most 15 minutes of Retry-After', 429, '3600', 900_000],
    ['at most 15 minutes of a Retry-After of any length', 429, '9'.repeat(40), 900_000],
    ['a Retry-After that is an HTTP date', 429, 'Thu, 01 Jan 2026 00:01:40 GMT', 100_000],
    ['a date in the form of RFC 850', 503, 'Thursday, 01-Jan-26 00:01:40 GMT', 100_000],
    ['a date in the form of asctime, which is UTC', 503, 'Thu Jan  1 00:01:40 2026', 100_000],
    ['the slot when Retry-After is in the past', 429, 'Wed, 31 Dec 2025 23:00:00 GMT', 60_000],
    ['the Retry-After of a 408', 408, '90', 90_000],
    ['the Retry-After of a 503', 503, '90', 90_000],
    ['the Retry-After of any answer that is retried', 500, '90', 90_000],
    ['the slot when Retry-After is unreadable', 429, 'soon', 60_000],
    ['the slot when Retry-After is negative', 429, '-5', 60_000],
    ['the slot when Retry-After is absent', 429, undefined, 60_000],
  ] as const)('takes the delay from %s', (_name, status, header, delayMs) => {
    const verdict = judgeAttempt(retrySchedules.standard, 1, answered(status, header), now);
    expect(verdict).toMatchObject({ outcome: 'retry', delayMs });
  });

  it('keeps a slot that is longer than its bound', () => {
    const verdict = judgeAttempt(retrySchedules.standard, 4, answered(429, '3600'), now);
    expect(verdict).toMatchObject({ outcome: 'retry', delayMs: 7_200_000 });
  });
});

const outcomes: Record<string, AttemptOutcome> = {
  d: { outcome: 'delivered', isGone: false },
  r: { outcome: 'retry', isGone: false },
  f: { outcome: 'failed', isGone: false },
  g: { outcome: 'failed', isGone: true },
};
const after = (failedDeliveries: number, word: string) =>
  applyOutcomes(
    { failedDeliveries, failedAttempts: failedDeliveries },
    [...word].map((letter) => outcomes[letter]!),
  );

describe('auto-disable', () => {
  it.each([
    [0, 'ffff', undefined],
    [0, 'fffff', 'failures'],
    [4, 'f', 'failures'],
    [4, 'r', undefined],
    [0, 'rrrrrrrr', undefined],
    [4, 'df', undefined],
    [0, 'ffffdf', undefined],
    [3, 'frdffff', undefined],
    [3, 'ffd', 'failures'],
    [0, 'g', 'gone'],
    [0, 'ddg', 'gone'],
  ])('decides after %i failures and then %s: %s', (before, word, disable) => {
    expect(after(before, word).disable).toBe(disable);
  });

  it('resets both counters on success', () => {
    expect(after(4, 'rd')).toEqual({ failedDeliveries: 0, failedAttempts: 0 });
  });

  it('counts a retried attempt as a failed attempt but not as a failed delivery', () => {
    expect(after(1, 'rr')).toEqual({ failedDeliveries: 1, failedAttempts: 3 });
  });
});
