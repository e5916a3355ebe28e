import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@tollgate/errors';

/** Longer than any credential that Tollgate issues; a longer one is refused before it is hashed. */
const CREDENTIAL_CHARS_MAX = 4096;

/** The headers in which the vendors' client libraries send a key. */
export type VendorKeyHeader = 'x-api-key' | 'x-goog-api-key';

/** The header of a vendor counts only on endpoints whose vendor's client library sends it. */
export interface CredentialOptions {
  vendorKeyHeader?: VendorKeyHeader;
}

/**
 * Returns the one credential that counts; undefined when none was sent. `Authorization` wins over the API-key headers even
 * when it is invalid: a request never falls back silently to another identity.
 *
 * @throws AppError UNAUTHORIZED
 */
export function readCredential(headers: IncomingHttpHeaders, options: CredentialOptions = {}): string | undefined {
  const { authorization } = headers;
  if (authorization !== undefined) {
    const token = /^bearer +([\x21-\x7e]+) *$/i.exec(authorization)?.[1];
    if (!token || token.length > CREDENTIAL_CHARS_MAX) throw new AppError('UNAUTHORIZED', 'invalid credentials');
    return token;
  }
  const { vendorKeyHeader } = options;
  const key = headers['x-service-api-key'] ?? (vendorKeyHeader && headers[vendorKeyHeader]);
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key === '' || key.length > CREDENTIAL_CHARS_MAX) {
    throw new AppError('UNAUTHORIZED', 'invalid credentials');
  }
  return key;
}
