import { beforeEach, describe, expect, it } from '@jest/globals';
import { LookupCache } from './lookup-cache.js';

interface Loaded {
  version: number;
}

let nowMs = 0;
let loads = 0;
let cache: LookupCache<Loaded>;
const clock = { nowMs: () => nowMs, now: () => new Date(nowMs), elapsed: () => nowMs };
const load = async (): Promise<Loaded> => ({ version: ++loads });
const settled = () => new Promise(setImmediate);

beforeEach(() => {
  nowMs = 1_000;
  loads = 0;
  cache = new LookupCache({ entriesMax: 10, freshMs: 3_000, staleMs: 5_000, clock });
});

describe('LookupCache', () => {
  it('answers synchronously while fresh', async () => {
    expect(await cache.get('a', load)).toEqual({ version: 1 });
    expect(cache.get('a', load)).toEqual({ version: 1 });
  });

  it('shares one load between concurrent misses', async () => {
    const answers = await Promise.all([cache.get('a', load), cache.get('a', load), cache.get('a', load)]);
    expect(answers.map((answer) => answer?.version)).toEqual([1, 1, 1]);
  });

  it('refreshes in the background between fresh and stale', async () => {
    await cache.get('a', load);
    nowMs += 3_000;
    expect(cache.get('a', load)).toEqual({ version: 1 });
    expect(cache.get('a', load)).toEqual({ version: 1 });
    await settled();
    expect(cache.get('a', load)).toEqual({ version: 2 });
    expect(loads).toBe(2);
  });

  it('loads an entry again before answering once it has reached its maximum age', async () => {
    await cache.get('a', load);
    nowMs += 5_000;
    expect(await cache.get('a', load)).toEqual({ version: 2 });
  });

  it('counts the age from the start of the load', async () => {
    const slow = async () => {
      nowMs += 4_000;
      return load();
    };
    await cache.get('a', slow);
    nowMs += 1_000;
    expect(await cache.get('a', load)).toEqual({ version: 2 });
  });

  it('does not cache missing values', async () => {
    expect(await cache.get('a', async () => undefined)).toBeUndefined();
    expect(await cache.get('a', load)).toEqual({ version: 1 });
  });

  it('reports a failed refresh instead of serving stale entries', async () => {
    await cache.get('a', load);
    nowMs += 4_000;
    const broken = async () => {
      throw new Error('database down');
    };
    expect(cache.get('a', broken)).toEqual({ version: 1 });
    await settled();
    nowMs += 1_000;
    await expect(cache.get('a', broken)).rejects.toThrow('database down');
  });

  it('drops a deleted entry, also during its load', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const reading = cache.get('a', async () => {
      await held;
      return { version: 0 };
    });
    cache.delete('a');
    release();
    expect(await reading).toEqual({ version: 0 });
    expect(await cache.get('a', load)).toEqual({ version: 1 });
  });
});
