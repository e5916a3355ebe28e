const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 200;

/** Bounds a page; the edge has refused what is out of range, an absent limit is the default. */
export function pageOf(page: { limit: number; offset: number }): { take: number; skip: number } {
  return { take: Math.min(Math.max(page.limit || LIMIT_DEFAULT, 1), LIMIT_MAX), skip: Math.max(page.offset, 0) };
}
