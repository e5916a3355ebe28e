/** Adds an item to a list that keeps its last `max` items. */
export function keepLast<Item>(items: readonly Item[], item: Item, max: number): readonly Item[] {
  // `slice(-0)` would keep everything.
  return max > 0 ? [...items, item].slice(-max) : [];
}
