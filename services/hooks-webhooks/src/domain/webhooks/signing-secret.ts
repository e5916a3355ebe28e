/** Names the kind of endpoint a secret belongs to, for people who find one in a configuration file. */
export type SecretPrefix = 'whsec_' | 'thsec_';

export const SECRET_BYTES = 32;

const WEBHOOK_PREFIX = 'whsec_';

/** A webhook's secret is base64: the libraries of Standard Webhooks read no other alphabet. */
export function formatSigningSecret(prefix: SecretPrefix, random: Uint8Array): string {
  if (random.length !== SECRET_BYTES) throw new Error(`a signing secret needs ${SECRET_BYTES} random bytes`);
  return prefix + Buffer.from(random).toString(prefix === WEBHOOK_PREFIX ? 'base64' : 'base64url');
}

/** The bytes that a webhook's secret stands for in Standard Webhooks. */
export function keyBytes(secret: string): Buffer {
  return Buffer.from(base64Of(secret), 'base64');
}

/** Whether every receiver decodes the secret to the same bytes; stored secrets may be base64url. */
export function isBase64Secret(secret: string): boolean {
  return keyBytes(secret).toString('base64') === base64Of(secret);
}

function base64Of(secret: string): string {
  return secret.startsWith(WEBHOOK_PREFIX) ? secret.slice(WEBHOOK_PREFIX.length) : secret;
}
