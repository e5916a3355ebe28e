import { expect, it } from '@jest/globals';
import { appliedLimit, calendarDay, quotaWindow, type Subject, toOwnModels, withoutProviderCost } from './subject.js';

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

it('restricts a model to own connections if one of them is set to it', () => {
  const models = [{ modelId: 'a' }];
  const prefer = { mode: 'prefer' as const, models: [...models, { modelId: 'b' }] };
  const only = { mode: 'only' as const, models };
  const expected = new Map([
    ['a', 'only'],
    ['b', 'prefer'],
  ]);
  expect(toOwnModels([prefer, only])).toEqual(expected);
  expect(toOwnModels([only, prefer])).toEqual(expected);
});

it('leaves the limits of customers and of units in force', () => {
  const accounts = { allowance: 1n, wallet: 2n, key: 3n, owner: 4n, daily_cap: 5n, quota: 6n };
  const subject = { accounts } as Partial<Subject> as Subject;
  expect(withoutProviderCost(subject).accounts).toEqual({ allowance: 1n, wallet: 2n, quota: 6n });
  expect(subject.accounts).toEqual(accounts);
});
