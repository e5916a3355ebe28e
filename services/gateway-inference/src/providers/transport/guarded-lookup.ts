import { isIP, type LookupFunction } from 'node:net';
import { isAllowedAddress, type Lookup, lookupBySystem } from '@tollgate/safe-fetch';

/**
 * Looks up names for connections to providers. A name is used only if all its addresses may be called, and the connection is
 * made to the address that was checked. Metadata addresses are rejected even if private ones are allowed.
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

/** Whether the URL has a literal address that may not be called. Checked once, because no name is looked up for it. */
export function isRefusedLiteral(baseUrl: string, allowPrivate: boolean): boolean {
  const host = new URL(baseUrl).hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) !== 0 && !isAllowedAddress(host, allowPrivate);
}
