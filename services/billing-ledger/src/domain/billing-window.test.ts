import { describe, expect, it } from '@jest/globals';
import { currentPeriod, currentWindow, nextWindowStart, periodFrom, toAnchor } from './billing-window.js';

const DAY_MS = 86_400_000;
const ms = (date: string) => Date.parse(`${date}T00:00:00Z`);
const days = ({ startMs, endMs }: { startMs: number; endMs: number }) =>
  [startMs, endMs].map((at) => new Date(at).toISOString().slice(0, 10)).join(' ');
const period = (start: string, end: string) => ({ startMs: ms(start), endMs: ms(end) });

describe('currentPeriod', () => {
  it.each([
    ['2026-01-31', 'month', '2026-02-27', '2026-01-31 2026-02-28'],
    ['2026-01-31', 'month', '2026-02-28', '2026-02-28 2026-03-31'],
    ['2026-01-31', 'month', '2026-03-31', '2026-03-31 2026-04-30'],
    ['2026-01-31', 'month', '2027-01-30', '2026-12-31 2027-01-31'],
    ['2026-01-30', 'month', '2026-03-29', '2026-02-28 2026-03-30'],
    ['2026-01-28', 'month', '2026-03-05', '2026-02-28 2026-03-28'],
    ['2024-02-29', 'year', '2025-03-01', '2025-02-28 2026-02-28'],
    ['2024-02-29', 'year', '2028-02-28', '2027-02-28 2028-02-29'],
    ['2024-02-29', 'year', '2028-02-29', '2028-02-29 2029-02-28'],
  ] as const)('returns for a %s by the %s on %s: %s', (start, interval, now, expected) => {
    const schedule = { period: periodFrom(ms(start), interval), interval, anchorMs: undefined };
    expect(days(currentPeriod(schedule, ms(now)))).toBe(expected);
  });

  it.each([
    ['2026-01-31', 'month'],
    ['2023-12-29', 'month'],
    ['2024-02-29', 'year'],
  ] as const)('returns the same from %s by the %s whenever the stored period is rolled over', (start, interval) => {
    const first = { period: periodFrom(ms(start), interval), interval, anchorMs: undefined };
    let rolled: { period: typeof first.period; interval: typeof interval; anchorMs: number | undefined } = first;
    for (let now = first.period.endMs; now < ms('2033-01-01'); now += 9 * DAY_MS) {
      const anchorMs = toAnchor(rolled);
      rolled = { period: currentPeriod(rolled, now), interval, anchorMs };
      expect(days(rolled.period)).toBe(days(currentPeriod(first, now)));
    }
  });

  it('follows from the end of a period of any length', () => {
    const schedule = { period: period('2026-01-10', '2026-01-31'), interval: 'month' as const, anchorMs: undefined };
    expect(days(currentPeriod(schedule, ms('2026-04-01')))).toBe('2026-03-31 2026-04-30');
  });

  it('ignores an anchor that the stored period does not fit', () => {
    const schedule = {
      period: period('2026-03-05', '2026-04-05'),
      interval: 'month' as const,
      anchorMs: ms('2026-01-31'),
    };
    expect(days(currentPeriod(schedule, ms('2026-04-10')))).toBe('2026-04-05 2026-05-05');
  });
});

describe('nextWindowStart', () => {
  const before = {
    period: period('2026-01-05', '2026-02-05'),
    interval: 'month' as const,
    anchorMs: undefined,
    windowStartMs: ms('2026-01-02'),
    hasEnded: false,
  };
  const change = (start: string, values: object = {}) => {
    const { isSameTier = false, isDeclared = false, ...changed } = values as Record<string, boolean>;
    const next = periodFrom(ms(start), 'month');
    return days({
      startMs: nextWindowStart({ ...before, ...changed }, { next, isSameTier, isDeclared }),
      endMs: 0,
    }).slice(0, 10);
  };

  it.each([
    ['continues the window in the same period', '2026-01-05', {}, '2026-01-02'],
    ['continues a window that the new period cuts short', '2026-01-20', {}, '2026-01-02'],
    ['continues a window that a new subscription cuts short', '2026-01-20', { hasEnded: true }, '2026-01-02'],
    ['continues a window that the processor cuts short', '2026-01-20', { isSameTier: true }, '2026-01-02'],
    ['starts a window at a renewal', '2026-02-05', { isSameTier: true }, '2026-02-05'],
    ['starts a window at a renewal to another tier', '2026-02-05', {}, '2026-02-05'],
    ['continues the period that followed without a webhook event', '2026-02-20', {}, '2026-02-05'],
    ['starts a window after a pause', '2026-02-20', { hasEnded: true }, '2026-02-20'],
    [
      'starts a window at a renewal that the owner declares',
      '2026-02-04',
      { isSameTier: true, isDeclared: true },
      '2026-02-04',
    ],
    [
      'continues a window when the owner repeats its period',
      '2026-01-05',
      { isSameTier: true, isDeclared: true },
      '2026-01-02',
    ],
    ['continues a window when the owner changes the tier', '2026-02-04', { isDeclared: true }, '2026-01-02'],
    [
      'continues a window whose start the owner corrects',
      '2026-01-04',
      { isSameTier: true, isDeclared: true },
      '2026-01-02',
    ],
  ])('returns the start of the window: %s', (_, start, values, expected) => {
    expect(change(start, values)).toBe(expected);
  });

  it('keeps the start of the current window until the period ends', () => {
    expect(days(currentWindow(before, ms('2026-02-04')))).toBe('2026-01-02 2026-02-05');
    expect(days(currentWindow(before, ms('2026-02-05')))).toBe('2026-02-05 2026-03-05');
  });
});
