const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 200;

export interface Page {
  limit: number;
  offset: number;
}

/** Clamps the page to the allowed range; the edge has already rejected values out of range. */
export function toPage(req: Page): Page {
  return { limit: Math.min(req.limit > 0 ? req.limit : LIMIT_DEFAULT, LIMIT_MAX), offset: Math.max(0, req.offset) };
}

/** Reads one row more than the page holds to learn whether there is another page. */
export async function readPage<T>(page: Page, read: (page: Page) => Promise<T[]>) {
  const rows = await read({ limit: page.limit + 1, offset: page.offset });
  return { rows: rows.slice(0, page.limit), hasMore: rows.length > page.limit };
}
