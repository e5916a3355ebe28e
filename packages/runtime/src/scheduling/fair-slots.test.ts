import { describe, expect, it } from '@jest/globals';
import { FairSlots } from './fair-slots.js';

function slots(count: number, waitingMax = 100) {
  const started: string[] = [];
  const shared = new FairSlots({ slots: count, waitingMax });
  const starts = new Map<string, () => void>();
  const fair = {
    take(account: string, work: string): boolean {
      const start = (): void => void started.push(work);
      starts.set(work, start);
      return shared.take(account, start);
    },
    drop: (account: string, work: string): boolean => shared.drop(account, starts.get(work)!),
    release: (account: string): void => shared.release(account),
  };
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

  it('lets accounts alternate at a single slot', () => {
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

/** Work that the test ends. */
function pending() {
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => ends.push(resolve));
  return { ends, work };
}

describe('work in a fair slot', () => {
  const refuse = () => new Error('too many');
  const nextIteration = () => new Promise((resolve) => setImmediate(resolve));

  it("starts another account's work at once while a burst waits", async () => {
    const fair = new FairSlots({ slots: 4, waitingMax: 100 });
    const { ends, work } = pending();
    const burst = Array.from({ length: 10 }, () => fair.run('busy', work, { refuse }));
    expect(ends).toHaveLength(2);
    await expect(fair.run('small', async () => 'started', { refuse })).resolves.toBe('started');
    while (ends.length > 0) {
      ends.shift()?.();
      await nextIteration();
    }
    await Promise.all(burst);
  });

  it('rejects work that may not wait', async () => {
    const fair = new FairSlots({ slots: 2, waitingMax: 2 });
    const { ends, work } = pending();
    const accepted = [fair.run('busy', work, { refuse }), fair.run('busy', work, { refuse })];
    await expect(fair.run('busy', work, { refuse })).rejects.toThrow('too many');
    for (const each of accepted) {
      ends.shift()?.();
      await each;
    }
  });

  it('frees the slot when the work fails, and passes the failure on', async () => {
    const fair = new FairSlots({ slots: 2, waitingMax: 100 });
    const failing = () => Promise.reject(new Error('refused'));
    for (let i = 0; i < 5; i++) await expect(fair.run('a', failing, { refuse })).rejects.toThrow('refused');
  });

  it.each([
    ['has waited too long', () => ({ waitMs: 1 })],
    ['belongs to a call that is aborted while it waits', () => ({ signal: AbortSignal.timeout(1) })],
    ['belongs to a call that was aborted before', () => ({ signal: AbortSignal.abort() })],
  ])('rejects work that %s', async (_what, waiting) => {
    const fair = new FairSlots({ slots: 2, waitingMax: 100 });
    const { ends, work } = pending();
    const running = fair.run('busy', work, { refuse });
    await expect(fair.run('busy', work, { ...waiting(), refuse })).rejects.toThrow('too many');
    ends.shift()?.();
    await running;
    expect(ends).toEqual([]);
    await expect(fair.run('busy', async () => 'started', { refuse })).resolves.toBe('started');
  });

  it('runs work of one account in its order, one at a time, and that of other accounts at once', async () => {
    const fair = new FairSlots({ slots: 100, accountMax: 1, waitingMax: 100 });
    const { ends, work } = pending();
    const events: string[] = [];
    const first = fair.run('a', work, { refuse });
    const second = fair.run('a', async () => void events.push('a2'), { refuse });
    await fair.run('b', async () => void events.push('b'), { refuse });
    expect(events).toEqual(['b']);
    ends.shift()?.();
    await Promise.all([first, second]);
    expect(events).toEqual(['b', 'a2']);
  });
});
