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
  for (const name of ['a', 'b', 'c', 'd', 'e']) turns.later('a', read(name));
  const perTurn: number[] = [];
  while (order.length < 5) {
    await nextTurn();
    perTurn.push(order.length);
  }
  expect(perTurn).toEqual([2, 4, 5]);
  expect(order).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('lets an account with one read wait for one of an account with many', async () => {
  const { turns, order, read } = startTurns(11);
  for (const name of ['a1', 'a2', 'a3', 'a4']) turns.later('a', read(name));
  turns.later('b', read('b1'));
  while (order.length < 5) await nextTurn();
  expect(order).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
});

it('puts an account that asks again behind the others', async () => {
  const { turns, order, read } = startTurns(11);
  const again = () => {
    read('a')();
    if (order.length < 6) turns.later('a', again);
  };
  turns.later('a', again);
  for (const name of ['b', 'b']) turns.later('b', read(name));
  while (order.length < 6) await nextTurn();
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'a']);
});

it('lets no read overtake those that wait', async () => {
  const { turns, read } = startTurns(11);
  turns.now(read('a'));
  turns.later('a', read('b'));
  turns.later('a', read('c'));
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
