import { describe, expect, it } from '@jest/globals';
import { addUpStatement, nextMonth, previousMonth, type StatementEntries } from './statement.js';

const entry = (kind: string, microcents: bigint, more: Partial<StatementEntries> = {}): StatementEntries => ({
  kind,
  modelId: undefined,
  microcents,
  feeMicrocents: 0n,
  entries: 1n,
  ...more,
});

describe('addUpStatement', () => {
  it('merges the parts by kind and model, and splits the fees off', () => {
    const model = { modelId: 'm' };
    const parts = [
      {
        openingMicrocents: 5n,
        closingMicrocents: 75n,
        entries: [entry('top_up', 100n), entry('charge_wallet', -30n, model)],
      },
      {
        openingMicrocents: -5n,
        closingMicrocents: -25n,
        entries: [
          entry('charge_wallet', -25n, { ...model, feeMicrocents: -10n }),
          entry('late_wallet', -5n, model),
          entry('returned_wallet', 10n, model),
        ],
      },
    ];
    expect(addUpStatement(parts, false)).toEqual({
      openingMicrocents: 0n,
      closingMicrocents: 50n,
      lines: [
        { kind: 'top_up', modelId: undefined, microcents: 100n, entries: 1n },
        { kind: 'charge', modelId: 'm', microcents: -50n, entries: 3n },
        { kind: 'tool_fee', modelId: 'm', microcents: -10n, entries: 0n },
        { kind: 'charge_returned', modelId: 'm', microcents: 10n, entries: 1n },
      ],
    });
  });

  it('explains a difference only by entries that were deleted', () => {
    const parts = [{ openingMicrocents: 0n, closingMicrocents: 60n, entries: [entry('top_up', 100n)] }];
    expect(() => addUpStatement(parts, false)).toThrow('-40 microcents');
    expect(addUpStatement(parts, true).lines[1]).toMatchObject({ kind: 'charge', microcents: -40n });
  });

  it('keeps kinds that it does not know, behind the others', () => {
    const entries = [entry('later_kind', 1n), entry('dispute', -1n)];
    const { lines } = addUpStatement([{ openingMicrocents: 0n, closingMicrocents: 0n, entries }], false);
    expect(lines.map(({ kind }) => kind)).toEqual(['dispute', 'later_kind']);
  });
});

describe('nextMonth and previousMonth', () => {
  it.each([
    ['2026-12', '2027-01'],
    ['2026-01', '2026-02'],
    ['1999-12', '2000-01'],
  ])('counts over the end of a year: %s and %s', (month, next) => {
    expect([nextMonth(month), previousMonth(next)]).toEqual([next, month]);
  });
});

it.each([
  ['2026-01', '2026-02'],
  ['2026-11', '2026-12'],
  ['2025-12', '2026-01'],
  ['0999-12', '1000-01'],
])('finds the months around the end of %s', (month, next) => {
  expect(nextMonth(month)).toBe(next);
  expect(previousMonth(next)).toBe(month);
});
