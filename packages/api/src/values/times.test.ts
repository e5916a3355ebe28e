import { describe, expect, it } from '@jest/globals';
import { day, moment } from './times.js';

describe('a moment', () => {
  it.each(['2026-11-22T00:00:00Z', '2026-11-22T00:00:00.123+14:00', '1970-01-01T00:00:00Z', '9998-12-31T23:59:59Z'])(
    'accepts %s',
    (text) => {
      expect(moment.safeParse(text).success).toBe(true);
    },
  );

  it.each([
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:00:00+00:01',
    '9998-12-31T23:59:59-23:59',
    '9999-12-31T23:59:59-23:59',
    '2026-02-30T00:00:00Z',
    '2026-11-22',
  ])('rejects %s', (text) => {
    expect(moment.safeParse(text).success).toBe(false);
  });
});

it.each([
  ['2026-11-22', true],
  ['0000-01-01', false],
  ['9999-12-31', false],
  ['2026-11-31', false],
])('decides whether %s is a valid day: %s', (text, isGood) => {
  expect(day.safeParse(text).success).toBe(isGood);
});
