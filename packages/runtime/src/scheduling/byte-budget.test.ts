import { describe, expect, it } from '@jest/globals';
import { ByteBudget } from './byte-budget.js';

describe('ByteBudget', () => {
  it('rejects more than half of the budget for one tenant', () => {
    const budget = new ByteBudget(100);
    expect(budget.take('a', 50)).toBe(true);
    expect(budget.take('a', 1)).toBe(false);
    expect(budget.take('b', 50)).toBe(true);
  });

  it('rejects all tenants when the budget is used up, until bytes are released', () => {
    const budget = new ByteBudget(100);
    for (const tenant of ['a', 'b', 'c']) expect(budget.take(tenant, 30)).toBe(true);
    expect(budget.take('d', 11)).toBe(false);
    budget.giveBack('b', 30);
    expect(budget.take('d', 11)).toBe(true);
    expect(budget.bytes).toBe(71);
  });

  it('returns to nothing', () => {
    const budget = new ByteBudget(100);
    budget.take('a', 20);
    budget.take('a', 20);
    budget.giveBack('a', 20);
    expect(budget.take('a', 31)).toBe(false);
    budget.giveBack('a', 20);
    expect(budget.bytes).toBe(0);
    expect(budget.take('a', 50)).toBe(true);
  });
});
