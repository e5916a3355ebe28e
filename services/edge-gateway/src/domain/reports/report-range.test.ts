import { expect, it } from '@jest/globals';
import { toReportRange } from './report-range.js';

const now = new Date('2026-11-23T04:00:00Z');
const range = (from?: string, to?: string) => toReportRange({ from, to }, now, 31);

it('covers the seven days before now by default', () => {
  expect(range()).toEqual({ from: new Date('2026-11-16T04:01:00Z'), to: new Date('2026-11-23T04:01:00Z') });
  expect(range(undefined, '2026-11-10').from).toEqual(new Date('2026-11-03T00:00:00Z'));
  expect(range(undefined, '1970-01-02').from).toEqual(new Date(0));
});

it.each([
  ['2026-11-23', '2026-11-23', 'from: must be before to'],
  ['2026-10-01', '2026-11-02', 'from: must be at most 31 days before to'],
])('rejects %s to %s', (from, to, message) => {
  expect(() => range(from, to)).toThrow(message);
});
