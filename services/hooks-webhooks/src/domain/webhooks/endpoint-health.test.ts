import { describe, expect, it } from '@jest/globals';
import { type AttemptOutcome, applyOutcomes } from './endpoint-health.js';

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
