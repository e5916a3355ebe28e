import { describe, expect, it } from '@jest/globals';
import { explainConnectError } from './connect-errors.js';

const failure = (message: string, code?: string) => Object.assign(new Error(message), { code });
const explained = (error: Error) => (explainConnectError(error) as Error).message;

describe('explainConnectError', () => {
  it.each([
    ['enable ssl', failure('The server does not support SSL connections')],
    [
      'sslmode=verify-full',
      failure('no pg_hba.conf entry for host "10.0.0.1", user "u", database "d", no encryption', '28000'),
    ],
    ['sslrootcert', failure('self-signed certificate in certificate chain', 'SELF_SIGNED_CERT_IN_CHAIN')],
    ['sslrootcert', failure('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT')],
    ['sslrootcert', failure('unable to verify the first certificate', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE')],
    ['sslrootcert', failure('unable to get local issuer certificate', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY')],
    ['another host name', failure("Host: db. is not in the cert's altnames: DNS:x", 'ERR_TLS_CERT_ALTNAME_INVALID')],
    ['has expired', failure('certificate has expired', 'CERT_HAS_EXPIRED')],
    ['ignore_startup_parameters', failure('unsupported startup parameter in options: search_path', '08P01')],
    ['ignore_startup_parameters', failure('unsupported startup parameter: options', '08P01')],
  ])('explains the failure by %s, and names DATABASE_URL or the certificate', (part, error) => {
    expect(explained(error)).toContain(part);
    expect(explained(error)).toMatch(/DATABASE_URL|certificate/);
  });

  it('keeps the code of other errors, and drops that of those that no repeat can help', () => {
    const refused = failure('connect ECONNREFUSED', 'ECONNREFUSED');
    expect(explainConnectError(refused)).toBe(refused);
    expect(explainConnectError(failure('unsupported startup parameter: options', '08P01'))).not.toHaveProperty('code');
  });
});
