import { expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, toUsageSpans } from './usage-spans.js';

const start = Date.UTC(2026, 10, 1);
const hour = (hours: number) => start + hours * HOUR_MS;
const range = (from: number, to: number) => ({ from: new Date(from), to: new Date(to) });
const all = (first: number, count: number, step: number) =>
  new Set(Array.from({ length: count }, (_, n) => first + n * step));

it('reads whole days, the hours around them and the rows at both ends', () => {
  const rolledUp = { days: all(start + DAY_MS, 2, DAY_MS), hours: all(start, 75, HOUR_MS) };
  expect(toUsageSpans(range(hour(20.5), hour(75.2)), rolledUp)).toEqual([
    { source: 'row', ...range(hour(20.5), hour(21)) },
    { source: 'hour', ...range(hour(21), hour(24)) },
    { source: 'day', ...range(hour(24), hour(72)) },
    { source: 'hour', ...range(hour(72), hour(75)) },
    { source: 'row', ...range(hour(75), hour(75.2)) },
  ]);
});

it('reads no day or hour of which only a part is wanted', () => {
  const rolledUp = { days: all(start, 1, DAY_MS), hours: all(start, 1, HOUR_MS) };
  expect(toUsageSpans(range(hour(0), hour(0.5)), rolledUp)).toEqual([{ source: 'row', ...range(hour(0), hour(0.5)) }]);
});

it('reads rows alone when hours alternate too often', () => {
  const rolledUp = { days: new Set<number>(), hours: all(start, 100, 2 * HOUR_MS) };
  expect(toUsageSpans(range(hour(0), hour(200)), rolledUp)).toEqual([{ source: 'row', ...range(hour(0), hour(200)) }]);
});
