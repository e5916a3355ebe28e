import { describe, expect, it } from '@jest/globals';
import { gcra, type RateLimit } from './gcra.js';

const perMinute = (limit: number): RateLimit => ({ limit, periodMs: 60_000 });

/** Takes a request at each time and returns the decisions. */
function takeAt(rate: RateLimit, times: number[]) {
  let arrivalMs: number | undefined;
  return times.map((nowMs) => {
    const decision = gcra(rate, arrivalMs, nowMs);
    if (decision.isAllowed) arrivalMs = decision.arrivalMs;
    return decision;
  });
}

describe('gcra', () => {
  it.each([1, 3, 7, 60, 100, 300, 1000])('allows a burst of exactly %i, then refuses', (limit) => {
    const decisions = takeAt(perMinute(limit), Array(limit + 2).fill(1_000_000));
    expect(decisions.map((d) => d.isAllowed)).toEqual([...Array(limit).fill(true), false, false]);
    expect(decisions.map((d) => d.remaining)).toEqual([...Array(limit).keys()].reverse().concat(0, 0));
  });

  it('allows one more per interval after the limit is used up', () => {
    const decisions = takeAt(perMinute(2), [0, 0, 0, 29_999, 30_000, 30_001, 60_000]);
    expect(decisions.map((d) => d.isAllowed)).toEqual([true, true, false, false, true, false, true]);
  });

  it('has the whole limit again after a quiet period', () => {
    const decisions = takeAt(perMinute(3), [0, 0, 0, 60_000, 60_000, 60_000, 60_000]);
    expect(decisions.map((d) => d.isAllowed)).toEqual([true, true, true, true, true, true, false]);
  });

  it('returns when one more request is allowed and when all are', () => {
    const refused = takeAt(perMinute(2), [0, 0, 10_000]).at(-1)!;
    expect(refused).toMatchObject({
      isAllowed: false,
      limit: 2,
      remaining: 0,
      retryAfterSeconds: 20,
      resetSeconds: 50,
    });
  });

  it('returns a wait of at least one second', () => {
    expect(takeAt(perMinute(1000), Array(1001).fill(0)).at(-1)!.retryAfterSeconds).toBe(1);
  });

  it('waits one interval, not an hour, when the clock has stepped back an hour', () => {
    const rate = perMinute(100_000);
    const before = gcra(rate, undefined, 3_600_000);
    const refused = gcra(rate, before.arrivalMs, 0);
    expect(refused).toMatchObject({ isAllowed: false, retryAfterSeconds: 1, resetSeconds: 60, arrivalMs: 60_000 });
    expect(gcra(rate, refused.arrivalMs, 1).isAllowed).toBe(true);
  });

  it('does not punish a refused request', () => {
    const decisions = takeAt(perMinute(1), [0, ...Array(50).fill(30_000), 60_000]);
    expect(decisions.at(-1)!.isAllowed).toBe(true);
  });
});
