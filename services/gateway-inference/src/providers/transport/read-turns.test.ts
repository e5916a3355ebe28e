import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { ReadTurns } from './read-turns.js';

function startTurns(readMs: number) {
  let nowMs = 0;
  const turns = new ReadTurns(() => nowMs);
  const order: string[] = [];
  const read = (name: string) => () => {
    nowMs += readMs;
    order.push(name);
  };
  return { turns, order, read };
}

it('closes a turn of the event loop once its budget is spent, and opens the next', async () => {
  const { turns, read } = startTurns(6);
  turns.now(read('a'));
  expect(turns.isOpen).toBe(true);
  turns.now(read('b'));
  expect(turns.isOpen).toBe(false);
  await nextTurn();
  expect(turns.isOpen).toBe(true);
});

it('spreads waiting reads over turns of the event loop, in their order', async () => {
  const { turns, order, read } = startTurns(6);
  for (const name of ['a', 'b', 'c', 'd', 'e']) turns.later(read(name));
  const perTurn: number[] = [];
  while (order.length < 5) {
    await nextTurn();
    perTurn.push(order.length);
  }
  expect(perTurn).toEqual([2, 4, 5]);
  expect(order).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('lets no read overtake those that wait', async () => {
  const { turns, read } = startTurns(11);
  turns.now(read('a'));
  turns.later(read('b'));
  turns.later(read('c'));
  await nextTurn();
  expect(turns.isOpen).toBe(false);
});

it('counts the time of a read that throws', () => {
  const { turns, read } = startTurns(20);
  const failing = () => {
    read('a')();
    throw new Error('unreadable');
  };
  expect(() => turns.now(failing)).toThrow('unreadable');
  expect(turns.isOpen).toBe(false);
});
