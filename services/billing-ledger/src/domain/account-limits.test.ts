import { expect, it } from '@jest/globals';
import { appliedLimit, calendarDay, quotaWindow } from './account-limits.js';

it.each([
  [undefined, 5n, 5n],
  [undefined, undefined, undefined],
  [0n, 5n, 0n],
  [7n, undefined, 7n],
  [null, 5n, undefined],
])('applies the override %p to the configured limit %p', (override, configured, expected) => {
  expect(appliedLimit(override, configured)).toBe(expected);
});

it('takes the day and the month in UTC', () => {
  const at = Date.parse('2026-02-28T23:59:59.999Z');
  const next = Date.parse('2026-03-01T00:00:00Z');
  expect(calendarDay(at)).toEqual({ startMs: Date.parse('2026-02-28T00:00:00Z'), endMs: next });
  expect(calendarDay(next).startMs).toBe(next);
  expect(quotaWindow(at)).toEqual({ startMs: Date.parse('2026-02-01T00:00:00Z'), endMs: next });
});
