import { describe, expect, it } from '@jest/globals';
import { readRangeName, toDateRange, toNextDay } from './date-range.js';

const NOW = Date.UTC(2026, 10, 23, 23, 59);

describe('toDateRange', () => {
  it('includes today and ends with tomorrow', () => {
    const { from, to, days } = toDateRange('7d', NOW);
    expect([from, to]).toEqual(['2026-11-17', '2026-11-24']);
    expect(days).toHaveLength(7);
    expect(days.at(-1)).toBe('2026-11-23');
  });

  it('starts the month with its first day', () => {
    const { from, days } = toDateRange('month', NOW);
    expect([from, days.length]).toEqual(['2026-11-01', 23]);
  });
});

describe('readRangeName', () => {
  it.each([
    ['30d', '30d'],
    ['toString', undefined],
    [7, undefined],
  ])('reads %j as %p', (text, name) => {
    expect(readRangeName(text)).toBe(name);
  });
});

it('returns the day after a day, and nothing for other text', () => {
  expect(toNextDay('2026-12-31')).toBe('2027-01-01');
  expect([toNextDay(undefined), toNextDay(''), toNextDay('soon')]).toEqual([undefined, undefined, undefined]);
});
