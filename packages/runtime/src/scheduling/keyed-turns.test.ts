import { describe, expect, it } from '@jest/globals';
import { KeyedTurns } from './keyed-turns.js';

function gate() {
  let open: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open: () => open() };
}

describe('KeyedTurns', () => {
  it('runs work of one key in its order, one at a time, and that of other keys at once', async () => {
    const turns = new KeyedTurns({ waitingMax: 10 });
    const first = gate();
    const events: string[] = [];
    const all = [
      turns.run('a', async () => {
        events.push('a1 starts');
        await first.promise;
        events.push('a1 ends');
      }),
      turns.run('a', async () => void events.push('a2')),
    ];
    await turns.run('b', async () => void events.push('b'));
    expect(events).toEqual(['a1 starts', 'b']);
    first.open();
    await Promise.all(all);
    expect(events).toEqual(['a1 starts', 'b', 'a1 ends', 'a2']);
  });

  it('runs the next work after a failure, and passes the failure on', async () => {
    const turns = new KeyedTurns({ waitingMax: 10 });
    const failed = turns.run('a', () => Promise.reject(new Error('no')));
    const next = turns.run('a', async () => 'next');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('next');
  });

  it('refuses work of a key when too much of it waits, until some has ended', async () => {
    const turns = new KeyedTurns({ waitingMax: 1 });
    const { promise, open } = gate();
    const first = turns.run('a', () => promise);
    const second = turns.run('a', async () => undefined);
    expect(turns.run('a', async () => undefined)).toBeUndefined();
    expect(await turns.run('b', async () => 'other')).toBe('other');
    open();
    await Promise.all([first, second]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await turns.run('a', async () => 'later')).toBe('later');
  });
});
