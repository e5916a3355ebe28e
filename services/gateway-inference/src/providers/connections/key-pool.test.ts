import { describe, expect, it } from '@jest/globals';
import { StaticAuthorizer } from './authorizers.js';
import { KeyPool, type KeyRest } from './key-pool.js';

/** A pool of keys that are known by their weights, on a clock of its own. */
class Scene {
  nowMs = 1_000;
  readonly rests: KeyRest[] = [];
  readonly pool: KeyPool;

  constructor(...weights: number[]) {
    const keys = weights.map((weight) => ({ authorizer: new StaticAuthorizer(), weight }));
    this.pool = new KeyPool(keys, { now: () => this.nowMs, onRest: (rest) => this.rests.push(rest) });
  }

  take(times: number): number[] {
    return Array.from({ length: times }, () => this.pool.take().weight);
  }

  /** Lets the key of the next request rest; returns its weight. */
  fail(status: number, headers = {}): number {
    const key = this.pool.take();
    this.pool.answered(key, status, headers);
    return key.weight;
  }
}

describe('keys of a connection', () => {
  it('takes a key that is the only one for every request, even after failures', () => {
    const scene = new Scene(3);
    expect(scene.fail(429)).toBe(3);
    expect(scene.take(2)).toEqual([3, 3]);
    expect([scene.pool.hasOther, scene.rests]).toEqual([false, []]);
  });

  it('distributes requests by weight, interleaved', () => {
    const taken = new Scene(3, 1, 2).take(12);
    expect(taken.slice(0, 6)).toEqual([3, 2, 3, 1, 2, 3]);
    expect(taken.slice(6)).toEqual(taken.slice(0, 6));
  });

  it.each([
    ['a limit', 429, {}, 5_000],
    ['a limit with its time', 429, { 'retry-after': '30' }, 30_000],
    ['an error of the server', 503, {}, 5_000],
    ['a refused key', 401, {}, 60_000],
    ['a time of days', 429, { 'retry-after': '999999' }, undefined],
  ])('lets a key rest after %s, and uses it again', (_, status, headers, expected) => {
    const scene = new Scene(2, 1);
    expect(scene.fail(status, headers)).toBe(2);
    const [{ key, restMs }] = scene.rests as [KeyRest];
    expect([key, scene.take(3), scene.pool.hasOther]).toEqual([0, [1, 1, 1], true]);
    expect(restMs).toBeLessThanOrEqual(15 * 60_000);
    if (expected !== undefined) expect(restMs).toBe(expected);
    scene.nowMs += restMs - 1;
    expect(scene.take(1)).toEqual([1]);
    scene.nowMs += 1;
    expect(scene.take(3)).toContain(2);
  });

  it.each([200, 400, 404, 422])('does not let a key rest after %d', (status) => {
    const scene = new Scene(2, 1);
    scene.fail(status);
    expect(scene.rests).toEqual([]);
  });

  it('uses the key whose rest ends first while all rest', () => {
    const scene = new Scene(2, 1);
    expect([scene.fail(429, { 'retry-after': '9' }), scene.fail(429)]).toEqual([2, 1]);
    expect([scene.pool.hasOther, scene.take(2)]).toEqual([false, [1, 1]]);
  });
});
