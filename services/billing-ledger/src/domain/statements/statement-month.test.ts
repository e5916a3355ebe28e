import { expect, it } from '@jest/globals';
import { nextMonth, previousMonth } from './statement-month.js';

it.each([
  ['2026-01', '2026-02'],
  ['2026-11', '2026-12'],
  ['2025-12', '2026-01'],
  ['0999-12', '1000-01'],
])('finds the months around the end of %s', (month, next) => {
  expect(nextMonth(month)).toBe(next);
  expect(previousMonth(next)).toBe(month);
});
