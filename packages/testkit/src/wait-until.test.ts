import { describe, expect, it } from '@jest/globals';
import { controllableClock } from './controllable-clock.js';
import { waitUntil } from './wait-until.js';

describe('waitUntil', () => {
  it('returns the first truthy answer, a throw counting as not yet', async () => {
    let asked = 0;
    const answer = await waitUntil(
      () => {
        asked++;
        if (asked === 1) throw new Error('not there');
        return asked >= 3 ? { asked } : undefined;
      },
      { what: 'three questions' },
    );
    expect(answer).toEqual({ asked: 3 });
  });

  it('names the condition and keeps the last throw', async () => {
    const reason = new Error('connection refused');
    const waiting = waitUntil(() => Promise.reject(reason), { timeoutMs: 5, what: 'the server' });
    await expect(waiting).rejects.toMatchObject({
      message: 'timed out after 5 ms waiting for the server',
      cause: reason,
    });
  });
});

describe('controllableClock', () => {
  it('keeps its time until a test moves it', () => {
    const clock = controllableClock('2026-03-01T00:00:00Z');
    clock.advance({ days: 1, hours: 2, minutes: 3, seconds: 4, ms: 5 });
    expect(clock.now().toISOString()).toBe('2026-03-02T02:03:04.005Z');
    expect(clock.nowMs()).toBe(clock.now().getTime());
    const passedMs = clock.elapsed();
    expect(passedMs).toBe(93_784_005);
    clock.advance({ days: -1 });
    clock.set(new Date(0));
    expect(clock.nowMs()).toBe(0);
    expect(clock.elapsed()).toBe(passedMs);
  });
});
