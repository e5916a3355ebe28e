import { describe, expect, it } from '@jest/globals';
import { FairSlots } from './fair-slots.js';

function slots(count: number, waitingMax = 100) {
  const started: string[] = [];
  const fair = new FairSlots<string>({ slots: count, waitingMax, start: (work) => started.push(work) });
  return { fair, started };
}

describe('FairSlots', () => {
  it('leaves room for another account while one uses its full share', () => {
    const { fair, started } = slots(8);
    for (let i = 0; i < 50; i++) expect(fair.take('busy', `b${i}`)).toBe(true);
    expect(started).toEqual(['b0', 'b1', 'b2', 'b3']);
    expect(fair.take('small', 's0')).toBe(true);
    expect(started.at(-1)).toBe('s0');
  });

  it('leaves room for a third account next to two busy ones', () => {
    const { fair, started } = slots(9);
    for (const account of ['a', 'b']) for (let i = 0; i < 50; i++) fair.take(account, account);
    expect(fair.take('small', 's')).toBe(true);
    expect(started.at(-1)).toBe('s');
  });

  it('starts waiting works in order, first of the account with the fewest running works', () => {
    const { fair, started } = slots(4);
    for (const work of ['a0', 'a1', 'a2', 'a3']) fair.take('a', work);
    for (const work of ['b0', 'b1']) fair.take('b', work);
    expect(started).toEqual(['a0', 'a1', 'b0']);
    fair.release('a');
    expect(started).toEqual(['a0', 'a1', 'b0', 'a2']);
    fair.release('b');
    expect(started.at(-1)).toBe('b1');
  });

  it('lets accounts take turns at a single slot', () => {
    const { fair, started } = slots(1);
    for (const work of ['a0', 'a1', 'a2', 'a3']) fair.take('a', work);
    for (const work of ['b0', 'b1']) fair.take('b', work);
    for (const work of [...started, 'a1', 'b0', 'a2', 'b1']) {
      fair.release(work.startsWith('a') ? 'a' : 'b');
    }
    expect(started).toEqual(['a0', 'a1', 'b0', 'a2', 'b1', 'a3']);
  });

  it('runs every work eventually', () => {
    const { fair, started } = slots(4);
    for (let i = 0; i < 20; i++) fair.take('a', `a${i}`);
    for (let i = 0; i < 20; i++) fair.release('a');
    expect(started).toHaveLength(20);
  });

  it('rejects only works of the account that filled its part of the queue', () => {
    const { fair } = slots(2, 10);
    const accepted = Array.from({ length: 20 }, (_, i) => fair.take('busy', `b${i}`)).filter(Boolean);
    expect(accepted).toHaveLength(1 + 5);
    fair.take('other', 'o0');
    expect(fair.take('other', 'o1')).toBe(true);
  });

  it('forgets work that was dropped while it waited', () => {
    const { fair, started } = slots(2);
    for (const work of ['a0', 'a1', 'a2']) fair.take('a', work);
    expect(fair.drop('a', 'a1')).toBe(true);
    expect(fair.drop('a', 'a0')).toBe(false);
    fair.release('a');
    expect(started).toEqual(['a0', 'a2']);
  });
});
