import { expect, it } from '@jest/globals';
import type { Subject } from '../subject.js';
import { toOwnModels, withoutProviderCost } from './own-connections.js';

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
