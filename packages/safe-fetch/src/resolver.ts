import { lookup as systemLookup } from 'node:dns/promises';
import { elapsed } from '@tollgate/runtime';

/** Returns all addresses of a host name. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** Addresses by the operating system, in the order in which they should be tried. */
export async function lookupBySystem(hostname: string): Promise<readonly string[]> {
  const found = await systemLookup(hostname, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

interface Answer {
  addresses: Promise<readonly string[]>;
  expiresAt: number;
}

/**
 * Caches answers, including failures, for a short time, and shares one query among concurrent callers: the system's
 * resolver has few threads, and one name that fails and is used often must not block the others. Every request still
 * checks all addresses of the answer that it connects by.
 */
export function cachingLookup(lookup: Lookup, { ttlMs, namesMax }: { ttlMs: number; namesMax: number }): Lookup {
  const answers = new Map<string, Answer>();
  return (hostname) => {
    const known = answers.get(hostname);
    if (known && known.expiresAt > elapsed()) return known.addresses;
    const addresses = lookup(hostname);
    // The rejection reaches every caller; here it only must not count as unhandled.
    addresses.catch(() => {});
    answers.delete(hostname);
    if (ttlMs > 0) answers.set(hostname, { addresses, expiresAt: elapsed() + ttlMs });
    if (answers.size > namesMax) answers.delete(answers.keys().next().value as string);
    return addresses;
  };
}
