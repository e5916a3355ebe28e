import { describe, expect, it } from '@jest/globals';
import { listDays } from './list-days.js';

const now = Date.parse('2026-11-23T07:00:00Z');

describe('listDays', () => {
  it('returns the days of a window up to today', () => {
    expect(listDays('2026-11-21', '2026-12-01', now)).toEqual(['2026-11-21', '2026-11-22', '2026-11-23']);
  });

  it('returns the newest days of a long window', () => {
    const days = listDays('2026-01-01', '2027-01-01', now);
    expect([days.length, days.at(-1)]).toEqual([62, '2026-11-23']);
  });

  it('returns one day for a window that starts today or later', () => {
    expect(listDays('2026-11-23', '2026-12-23', now)).toEqual(['2026-11-23']);
    expect(listDays('2026-11-25', '2026-12-25', now)).toEqual(['2026-11-25']);
  });
});
