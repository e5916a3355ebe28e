import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ReadCache } from './read-cache.js';

interface Loaded {
  version: number;
}

let nowMs = 0;
let loads = 0;
let cache: ReadCache<Loaded>;
const clock = { nowMs: () => nowMs, now: () => new Date(nowMs), elapsed: () => nowMs };
const load = async (): Promise<Loaded> => ({ version: ++loads });
const settled = () => new Promise(setImmediate);

beforeEach(() => {
  nowMs = 1_000;
  loads = 0;
  cache = new ReadCache({ sizeMax: 10, freshMs: 3_000, staleMs: 5_000, clock });
});

describe('ReadCache', () => {
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

  it('drops entries by their keys, also during their reads', async () => {
    await cache.get('a/1', load);
    await cache.get('b/1', load);
    const reading = cache.get('a/2', load);
    cache.deleteWhere((key) => key.startsWith('a/'));
    expect(await reading).toEqual({ version: 3 });
    expect(cache.get('b/1', load)).toEqual({ version: 2 });
    expect(await cache.get('a/1', load)).toEqual({ version: 4 });
    expect(await cache.get('a/2', load)).toEqual({ version: 5 });
  });

  it('drops all entries with matching keys and no others, wherever they are in the order', async () => {
    const keys = Array.from({ length: 10 }, (_, i) => `${i % 3}/${i}`);
    for (const key of keys) cache.set(key, { version: 0 });
    for (const prefix of ['0/', '2/']) cache.deleteWhere((key) => key.startsWith(prefix));
    const isKept = (key: string) => !(cache.get(key, load) instanceof Promise);
    expect(keys.filter(isKept)).toEqual(['1/1', '1/4', '1/7']);
  });

  it('keeps a value that was set, and not an older one whose read ends later', async () => {
    const reading = cache.get('a', load);
    cache.set('a', { version: 7 });
    await reading;
    expect(cache.get('a', load)).toEqual({ version: 7 });
  });

  it('does not keep a failure, and shares it with the callers who wait', async () => {
    const broken = jest.fn(async () => {
      throw new Error('database down');
    });
    const both = await Promise.allSettled([cache.get('a', broken), cache.get('a', broken)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(broken).toHaveBeenCalledTimes(1);
    expect(await cache.get('a', load)).toEqual({ version: 1 });
  });

  it('reads again what is no longer current', async () => {
    cache = new ReadCache<Loaded>({ sizeMax: 10, isCurrent: ({ version }) => version > 1, clock });
    await cache.get('a', load);
    const both = await Promise.all([cache.get('a', load), cache.get('a', load)]);
    expect(both).toEqual([{ version: 2 }, { version: 2 }]);
    expect(cache.get('a', load)).toEqual({ version: 2 });
  });

  it('evicts the entry that was not used for longest', async () => {
    cache = new ReadCache<Loaded>({ sizeMax: 2, clock });
    await cache.get('used', load);
    await cache.get('unused', load);
    expect(cache.get('used', load)).toEqual({ version: 1 });
    await cache.get('new', load);
    expect(cache.get('used', load)).toEqual({ version: 1 });
    expect(cache.get('new', load)).toEqual({ version: 3 });
    expect(await cache.get('unused', load)).toEqual({ version: 4 });
  });

  it('counts entries by their sizes, and keeps none above the limit', async () => {
    cache = new ReadCache<Loaded>({ sizeMax: 10, sizeOf: ({ version }) => version, clock });
    for (const version of [4, 6, 5, 11]) cache.set(`${version}`, { version });
    const isKept = (version: number) => !(cache.get(`${version}`, load) instanceof Promise);
    expect([4, 6, 5, 11].map(isKept)).toEqual([false, false, true, false]);
  });

  it('shares reads and keeps nothing when nothing may be served later', async () => {
    cache = new ReadCache<Loaded>({ sizeMax: 10, staleMs: 0, clock });
    const both = await Promise.all([cache.get('a', load), cache.get('a', load)]);
    expect(both).toEqual([{ version: 1 }, { version: 1 }]);
    expect(await cache.get('a', load)).toEqual({ version: 2 });
  });
});
