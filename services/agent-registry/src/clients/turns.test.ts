import { describe, expect, it } from '@jest/globals';
import { createTurns } from './turns.js';

describe('turns', () => {
  it('runs one task at a time and takes the queues in rotation', async () => {
    const turns = createTurns({ waitingMax: 10 });
    const order: string[] = [];
    let running = 0;
    const task = (name: string) => async () => {
      running += 1;
      expect(running).toBe(1);
      await Promise.resolve();
      order.push(name);
      running -= 1;
      return name;
    };
    const results = await Promise.all([
      turns.take('a', task('a1')),
      turns.take('a', task('a2')),
      turns.take('a', task('a3')),
      turns.take('b', task('b1')),
      turns.take('c', task('c1')),
      turns.take('b', task('b2')),
    ]);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(results).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'b2']);
  });

  it('continues after a failed task and becomes idle when none waits', async () => {
    const turns = createTurns({ waitingMax: 10 });
    const failed = turns.take('a', () => Promise.reject(new Error('no')));
    const next = turns.take('a', async () => 'yes');
    await expect(failed).rejects.toThrow('no');
    await expect(next).resolves.toBe('yes');
    await turns.idle();
    await expect(turns.take('a', async () => 'again')).resolves.toBe('again');
  });

  it('rejects a task of a full queue and accepts one of another queue', async () => {
    const turns = createTurns({ waitingMax: 2 });
    const task = async () => 1;
    const waiting = [turns.take('a', task), turns.take('a', task)];
    await expect(turns.take('a', task)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(turns.take('b', task)).resolves.toBe(1);
    await expect(Promise.all(waiting)).resolves.toEqual([1, 1]);
  });
});
