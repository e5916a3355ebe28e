import { expect, it } from '@jest/globals';
import { findFixedWaits } from './fixed-waits.js';

const find = (text: string) => findFixedWaits([{ path: 'packages/a/src/a.test.ts', text }]);

it.each([
  'await new Promise((resolve) => setTimeout(resolve, 50));',
  'await new Promise<void>((done) => { setTimeout(done, PAUSE_MS); });',
  'await sleep(2_000);',
  'expect(performance.now() - startedAt).toBeLessThan(1_000);',
  'expect(Date.now() - startedAt).toBeGreaterThan(140);',
])('finds a fixed sleep and an asserted duration: %s', (text) => {
  expect(find(text)).toHaveLength(1);
});

it.each([
  'await new Promise((resolve) => setTimeout(resolve, 1));',
  'await sleep(5);',
  'setTimeout(() => socket.destroy(), 500);',
  'await new Promise((resolve) => server.close(resolve));',
  'expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000);',
])('permits short pauses, timers that do something and dates: %s', (text) => {
  expect(find(text)).toEqual([]);
});
