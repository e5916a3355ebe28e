import { describe, expect, it } from '@jest/globals';
import { ByteBudget } from '@tollgate/runtime';
import { Uplink } from './bridge.js';

const MIB = 1024 * 1024;

describe('the bytes of a client’s events', () => {
  it('counts an event while it arrives, once', () => {
    const budget = new ByteBudget(8 * MIB);
    const uplink = new Uplink(budget, 'a');
    for (let i = 0; i < 32; i++) expect(uplink.arrived(64 * 1024)).toBe(true);
    expect(budget.bytes).toBeGreaterThan(1.9 * MIB);
    uplink.push({ item: { case: 'event', value: Buffer.alloc(0) } }, 2 * MIB);
    expect(budget.bytes).toBe(2 * MIB);
    uplink.end();
    expect(budget.bytes).toBe(0);
  });

  it('gives back an event that never arrives completely', () => {
    const budget = new ByteBudget(8 * MIB);
    const uplink = new Uplink(budget, 'a');
    uplink.arrived(MIB);
    expect(budget.bytes).toBeGreaterThan(0);
    uplink.end();
    expect(budget.bytes).toBe(0);
    expect(uplink.arrived(MIB)).toBe(true);
    expect(budget.bytes).toBe(0);
  });

  it('refuses bytes beyond the budget of the process', () => {
    const budget = new ByteBudget(8 * MIB);
    const uplinks = Array.from({ length: 4 }, () => new Uplink(budget, 'a'));
    const taken = uplinks.map((uplink) => uplink.arrived(2 * MIB));
    expect(taken).toContain(false);
    expect(budget.bytes).toBeLessThanOrEqual(4 * MIB);
  });

  it('counts no small events while they arrive', () => {
    const budget = new ByteBudget(8 * MIB);
    const uplink = new Uplink(budget, 'a');
    uplink.arrived(4_096);
    expect(budget.bytes).toBe(0);
  });
});
