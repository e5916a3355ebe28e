/** Prefix that shows which kind of endpoint a secret belongs to. */
export type SecretPrefix = 'whsec_' | 'thsec_';

export const SECRET_BYTES = 32;

const WEBHOOK_PREFIX = 'whsec_';

/** Encodes a webhook's secret in base64, the only alphabet that Standard Webhooks libraries read. */
export function formatSigningSecret(prefix: SecretPrefix, random: Uint8Array): string {
  if (random.length !== SECRET_BYTES) throw new Error(`a signing secret needs ${SECRET_BYTES} random bytes`);
  return prefix + Buffer.from(random).toString(prefix === WEBHOOK_PREFIX ? 'base64' : 'base64url');
}

/** Decodes a webhook's secret to its key bytes as in Standard Webhooks. */
export function keyBytes(secret: string): Buffer {
  return Buffer.from(stripPrefix(secret), 'base64');
}

/** Returns whether every receiver decodes the secret to the same bytes; older stored secrets may be base64url. */
export function isBase64Secret(secret: string): boolean {
  return keyBytes(secret).toString('base64') === stripPrefix(secret);
}

function stripPrefix(secret: string): string {
  return secret.startsWith(WEBHOOK_PREFIX) ? secret.slice(WEBHOOK_PREFIX.length) : secret;
}
