import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Lookup } from './resolver.js';

export interface NameServersOptions {
  /** Default: those of the operating system. */
  servers?: readonly string[];
  hostsFile?: string;
  /** For one name, over all name servers and attempts. */
  timeoutMs?: number;
  /** Names that are being resolved at once; further ones fail. */
  runningMax?: number;
}

const TIMEOUT_MS = 5_000;
/** Of one attempt. */
const ATTEMPT_MS = 1_500;
const ATTEMPTS_MAX = 2;
const RUNNING_MAX = 512;

/**
 * Returns a lookup that asks the name servers itself, after the hosts file, and gives up after a time limit. The operating
 * system's lookup cannot be canceled and takes one of a few threads: names on a server that never answers would make
 * all other names of the process wait. Names are complete: search domains are not added.
 */
export function createNameServerLookup({
  servers,
  hostsFile = '/etc/hosts',
  timeoutMs = TIMEOUT_MS,
  runningMax = RUNNING_MAX,
}: NameServersOptions = {}): Lookup {
  let running = 0;
  return async (hostname) => {
    if (/(^|\.)localhost$/i.test(hostname)) return ['127.0.0.1', '::1'];
    if (running >= runningMax) throw new Error('too many names are being resolved');
    running++;
    try {
      const listed = await readHosts(hostsFile, hostname);
      return listed.length > 0 ? listed : await askServers(hostname, servers, timeoutMs);
    } finally {
      running--;
    }
  };
}

/** Returns the addresses of a name in the hosts file; none if the file cannot be read. */
async function readHosts(file: string, hostname: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const name = hostname.toLowerCase();
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    return isIP(address) !== 0 && names.some((each) => each.toLowerCase() === name) ? [address] : [];
  });
}

/** A resolver of its own can be canceled alone, and has the present name servers. */
async function askServers(
  hostname: string,
  servers: readonly string[] | undefined,
  timeoutMs: number,
): Promise<string[]> {
  const resolver = new Resolver({ timeout: ATTEMPT_MS, tries: ATTEMPTS_MAX });
  if (servers) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), timeoutMs);
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return alternate(v4.status === 'fulfilled' ? v4.value : [], v6.status === 'fulfilled' ? v6.value : []);
  } finally {
    clearTimeout(timer);
  }
}

/** Only the first few addresses are tried: some of both kinds must be among them. */
function alternate(v4: readonly string[], v6: readonly string[]): string[] {
  const pairs = Array.from({ length: Math.max(v4.length, v6.length) }, (_, i) => [v4[i], v6[i]]);
  return pairs.flat().filter((address) => address !== undefined);
}
