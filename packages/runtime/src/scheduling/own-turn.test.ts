import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { ownTurn } from './own-turn.js';

/** Runs until every piece is done. Returns the pieces of each turn of the event loop in which one ran. */
async function collectTurns(start: (done: (name: string) => void) => Promise<unknown>[]): Promise<string[][]> {
  const turns: string[][] = [];
  let current: string[] = [];
  let isOver = false;
  const all = Promise.all(start((name) => current.push(name))).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await nextTurn();
    if (current.length > 0) turns.push(current);
    current = [];
  }
  await all;
  return turns;
}

it('resumes one caller per turn of the event loop, in the order of their calls', async () => {
  const turns = await collectTurns((done) => ['a', 'b', 'c'].map((name) => ownTurn().then(() => done(name))));
  expect(turns).toEqual([['a'], ['b'], ['c']]);
});

it('lets callers that come back wait for those that came before', async () => {
  const turns = await collectTurns((done) =>
    ['a', 'b'].map(async (name) => {
      for (const piece of [1, 2]) {
        await ownTurn();
        done(`${name}${piece}`);
      }
    }),
  );
  expect(turns).toEqual([['a1'], ['b1'], ['a2'], ['b2']]);
});

it('resumes a caller that comes after all others were served', async () => {
  await ownTurn();
  await nextTurn();
  await expect(ownTurn()).resolves.toBeUndefined();
});
