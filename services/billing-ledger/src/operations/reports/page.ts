const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 200;

/** Bounds a page and applies the default limit. The edge has already rejected values out of range. */
export function toPage(page: { limit: number; offset: number }): { take: number; skip: number } {
  return { take: Math.min(Math.max(page.limit || LIMIT_DEFAULT, 1), LIMIT_MAX), skip: Math.max(page.offset, 0) };
}
