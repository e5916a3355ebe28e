import { ReadCache } from '@tollgate/runtime';

/**
 * Returns `read` with a memory: a result is returned again for `ttlMs`. For values that cost a statement, when several
 * scrapers ask. A failure is not kept.
 */
export function cached<T>(read: () => Promise<T>, ttlMs = 5_000): () => Promise<T> {
  const values = new ReadCache<{ value: T }>({ sizeMax: 1, staleMs: ttlMs });
  return async () => (await values.get('', async () => ({ value: await read() }))).value;
}
