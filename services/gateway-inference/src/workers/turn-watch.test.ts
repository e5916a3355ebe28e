import { afterEach, expect, it } from '@jest/globals';
import { type Stoppable, systemClock } from '@tollgate/runtime';
import { waitUntil } from '@tollgate/testkit';
import { HEARTBEATS_PER_GROUP, startTurnWatch, type WatchedTurn } from './turn-watch.js';

let watch: Stoppable | undefined;
let counting: NodeJS.Immediate;

afterEach(async () => {
  clearImmediate(counting);
  await watch?.stop();
});

it('sends the heartbeats of many streams in groups, with turns of the event loop between them', async () => {
  let turnOfLoop = 0;
  const count = (): void => {
    turnOfLoop += 1;
    counting = setImmediate(count);
  };
  count();
  const sentIn = new Map<number, number>();
  const turns = new Set<WatchedTurn>();
  let sent = 0;
  for (let i = 0; i < 5 * HEARTBEATS_PER_GROUP; i++) {
    let isDue = true;
    const report = (): boolean => {
      if (!isDue) return false;
      isDue = false;
      sent += 1;
      sentIn.set(turnOfLoop, (sentIn.get(turnOfLoop) ?? 0) + 1);
      return true;
    };
    turns.add({ report, cut() {} });
  }
  watch = startTurnWatch(turns, systemClock, 1);
  await waitUntil(() => sent === turns.size, { what: 'all heartbeats' });
  expect(Math.max(...sentIn.values())).toBe(HEARTBEATS_PER_GROUP);
});
