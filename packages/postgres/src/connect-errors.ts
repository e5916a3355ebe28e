/** Why a connection through a pooler cannot be used. */
export const SHARED_SESSION =
  'DATABASE_URL leads through a pooler in transaction or statement mode: use pool_mode = session, or connect to PostgreSQL directly';

const REJECTED_OPTIONS =
  'the pooler of DATABASE_URL rejects the start-up parameter options: set ignore_startup_parameters = options and ' +
  'pool_mode = session in PgBouncer, or connect to PostgreSQL directly';

/** The cause and the remedy, where the driver's own message does not say them. Repeating these attempts does not help. */
const EXPLANATIONS: readonly [RegExp, string][] = [
  [/unsupported startup parameter/, REJECTED_OPTIONS],
  [
    /does not support SSL/,
    'the database server does not offer TLS: remove sslmode from DATABASE_URL, or enable ssl on the server',
  ],
  [
    /no pg_hba\.conf entry for .* no encryption|no pg_hba\.conf entry for .* SSL off/,
    'the database server accepts this user only over TLS, or not from this address: add sslmode=verify-full to DATABASE_URL, or extend pg_hba.conf',
  ],
  [
    /ALTNAME_INVALID/,
    'the certificate of the database server is for another host name: name the host of the certificate in DATABASE_URL',
  ],
  [
    /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|CERT_UNTRUSTED/,
    'the certificate of the database server is not from a known authority: name its file in DATABASE_URL (sslrootcert=/path/ca.pem), or in NODE_EXTRA_CA_CERTS',
  ],
  [/CERT_HAS_EXPIRED/, 'the certificate of the database server has expired: renew it'],
];

/** Returns the error with a text that says what to change in DATABASE_URL; other errors unchanged. */
export function explainConnectError(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  const found = EXPLANATIONS.find(([pattern]) => pattern.test(`${code} ${message}`));
  if (!found) return error;
  // Without the code of the cause, by which callers would take the error for a failure that passes.
  return Object.assign(new Error(`${found[1]} (${message})`), { healthReason: found[1] });
}
