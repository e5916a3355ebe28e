/** Pseudo-random numbers from a seed, so that a failed test can be repeated. */
export interface Random {
  /** 0 up to, not including, `bound`. */
  below(bound: number): number;
  pick<T>(items: readonly T[]): T;
}

/** Mulberry32: 32 bits of state are enough for choices in tests. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return { below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}
