import { elapsed } from '@tollgate/runtime';

/**
 * Returns `read` with a memory: a result is returned again for `ttlMs`. For values that cost a statement, when several
 * scrapers ask. A failure is not kept.
 */
export function cached<T>(read: () => Promise<T>, ttlMs = 5_000): () => Promise<T> {
  let last: { value: T; readAt: number } | undefined;
  return async () => {
    if (last && elapsed() - last.readAt < ttlMs) return last.value;
    const value = await read();
    last = { value, readAt: elapsed() };
    return value;
  };
}
