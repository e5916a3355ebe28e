import { lookup as systemLookup } from 'node:dns/promises';
import { ReadCache } from '@tollgate/runtime';

/** Returns all addresses of a host name. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** Addresses by the operating system, in the order in which they should be tried. */
export async function lookupBySystem(hostname: string): Promise<readonly string[]> {
  const found = await systemLookup(hostname, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

type Answer = { addresses: readonly string[] } | { failure: unknown };

/**
 * Caches answers, including failures, for a short time, and shares one query among concurrent callers: the system's
 * resolver has few threads, and one name that fails and is used often must not block the others. Every request still
 * checks all addresses of the answer that it connects by.
 */
export function cachingLookup(lookup: Lookup, { ttlMs, namesMax }: { ttlMs: number; namesMax: number }): Lookup {
  const answers = new ReadCache<Answer>({ sizeMax: namesMax, staleMs: ttlMs });
  const ask = (hostname: string): Promise<Answer> =>
    lookup(hostname).then(
      (addresses) => ({ addresses }),
      (failure: unknown) => ({ failure }),
    );
  return async (hostname) => {
    const answer = await answers.get(hostname, () => ask(hostname));
    if ('failure' in answer) throw answer.failure;
    return answer.addresses;
  };
}
