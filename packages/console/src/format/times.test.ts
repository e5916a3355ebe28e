import { describe, expect, it } from '@jest/globals';
import { formatAgo, formatDay, formatDuration, formatMonth } from './times.js';

const NOW = Date.UTC(2026, 10, 23, 12);
const before = (seconds: number) => new Date(NOW - seconds * 1_000).toISOString();

describe('formatAgo', () => {
  it.each([
    [0, 'now'],
    [45, '45 sec. ago'],
    [119, '1 min. ago'],
    [7_200, '2 hr. ago'],
    [86_400, 'yesterday'],
    [-7_200, 'in 2 hr.'],
  ])('describes %d seconds ago as %s', (seconds, text) => {
    expect(formatAgo(before(seconds), NOW)).toBe(text);
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [12_345, '12.3 s'],
    [245_000, '4 m 05 s'],
  ])('shows %d ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe('formatDay', () => {
  it('shows a day of UTC in every time zone', () => {
    expect(formatDay('2026-11-01')).toBe('Nov 1');
  });
});

describe('formatMonth', () => {
  it('shows a month of UTC in every time zone', () => {
    expect(formatMonth('2026-11')).toBe('November 2026');
  });
});
