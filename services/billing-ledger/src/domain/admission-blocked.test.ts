import { expect, it } from '@jest/globals';
import { toBlockInfo } from './admission-blocked.js';
import type { Refused } from './plan-admission.js';

const refused = (shortage: object | undefined) => ({ code: 'ANY', shortage }) as unknown as Refused;

it('shows the prepaid balance of an unfunded account', () => {
  expect(toBlockInfo(refused({ role: 'owner', required: 30n, available: 10n }), undefined)).toEqual({
    refusalCode: 'ANY',
    requiredMicrocents: 30n,
    availableMicrocents: 10n,
    shortfallMicrocents: 20n,
  });
});

it('shows the projected spend of the day beside the daily cap', () => {
  expect(toBlockInfo(refused({ role: 'daily_cap', required: 30n, available: 10n }), 100n)).toEqual({
    refusalCode: 'ANY',
    requiredMicrocents: 120n,
    availableMicrocents: 100n,
    shortfallMicrocents: 20n,
  });
});

it.each([undefined, { role: 'wallet', required: 30n, available: 10n }])('returns nothing for %p', (shortage) => {
  expect(toBlockInfo(refused(shortage), 100n)).toBeUndefined();
});
