/** Names the kind of endpoint a secret belongs to, for people who find one in a configuration file. */
export type SecretPrefix = 'whsec_' | 'thsec_';

export const SECRET_BYTES = 32;

export function formatSigningSecret(prefix: SecretPrefix, random: Uint8Array): string {
  if (random.length !== SECRET_BYTES) throw new Error(`a signing secret needs ${SECRET_BYTES} random bytes`);
  return prefix + Buffer.from(random).toString('base64url');
}
