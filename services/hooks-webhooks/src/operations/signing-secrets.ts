import { randomBytes } from 'node:crypto';
import { IV_BYTES, type Keyring, type SealedSecret, sealSecret } from '@tollgate/runtime/secret-box';
import { formatSigningSecret, SECRET_BYTES, type SecretPrefix } from '../domain/webhooks/signature.js';

/** Creates a secret: in the clear for the owner, sealed for the table. */
export function newSigningSecret(
  keyring: Keyring,
  prefix: SecretPrefix,
  recordId: string,
): { secret: string; sealed: SealedSecret } {
  const secret = formatSigningSecret(prefix, randomBytes(SECRET_BYTES));
  return { secret, sealed: resealSecret(keyring, secret, recordId) };
}

export function resealSecret(keyring: Keyring, secret: string, recordId: string): SealedSecret {
  return sealSecret(keyring, secret, recordId, randomBytes(IV_BYTES));
}
