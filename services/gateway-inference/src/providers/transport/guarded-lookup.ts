import { isIP, type LookupFunction } from 'node:net';
import { isAllowedAddress, type Lookup, lookupBySystem } from '@tollgate/safe-fetch';

/**
 * Name lookup for connections to providers: a name is used only when every address it has may be called, and the
 * connection is made to the very address that was checked. Metadata addresses are refused even where private ones are
 * allowed.
 */
export function guardedLookup(allowPrivate: boolean, lookup: Lookup = lookupBySystem): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) callback(new Error(`${hostname} has no address`), '', 0);
        else if (!addresses.every((address) => isAllowedAddress(address, allowPrivate))) {
          callback(new Error(`${hostname} has an address that may not be called`), '', 0);
        } else if (options.all) {
          callback(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          );
        } else callback(null, first, isIP(first));
      },
      (error: Error) => callback(error, '', 0),
    );
  };
}

/** Connections to a literal address look no name up, so those are judged once, from the configuration. */
export function isRefusedLiteral(baseUrl: string, allowPrivate: boolean): boolean {
  const host = new URL(baseUrl).hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) !== 0 && !isAllowedAddress(host, allowPrivate);
}
