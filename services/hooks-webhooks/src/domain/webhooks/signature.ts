import { createHmac } from 'node:crypto';

export const SIGNATURE_FORMS = ['body', 'timestamped', 'standard'] as const;
export type SignatureForm = (typeof SIGNATURE_FORMS)[number];

/** The signed parts of a request, and the secret before a rotation, which signs them, too. */
interface SignedContent {
  eventId: string;
  payload: Uint8Array;
  previousSecret?: string | undefined;
}

/**
 * Signs a webhook's request.
 *
 * - `body`: X-Service-Signature `sha256=<hex>` over the raw body.
 * - `timestamped`: X-Service-Signature `t=<unix seconds>,v1=<hex>` over `<t>.<raw body>`, so that receivers can
 *   reject replays.
 * - `standard`: the headers of the Standard Webhooks specification (standardwebhooks.com). The signature covers
 *   `<webhook-id>.<webhook-timestamp>.<raw body>`; its key is the decoded base64 secret.
 *
 * `timestamped` and `standard` carry a signature of each secret, the current one first; `body` has place for the current one only.
 */
export function signatureHeaders(
  form: SignatureForm,
  secret: string,
  { eventId, payload, previousSecret }: SignedContent,
  now: Date,
): Record<string, string> {
  const secrets = previousSecret === undefined ? [secret] : [secret, previousSecret];
  const seconds = String(Math.floor(now.getTime() / 1000));
  switch (form) {
    case 'body':
      return { 'x-service-signature': `sha256=${createHmac('sha256', secret).update(payload).digest('hex')}` };
    case 'timestamped': {
      const sign = (key: string) => createHmac('sha256', key).update(`${seconds}.`).update(payload).digest('hex');
      return { 'x-service-signature': [`t=${seconds}`, ...secrets.map((key) => `v1=${sign(key)}`)].join(',') };
    }
    case 'standard': {
      const sign = (key: string) =>
        createHmac('sha256', keyBytes(key)).update(`${eventId}.${seconds}.`).update(payload).digest('base64');
      return {
        'webhook-id': eventId,
        'webhook-timestamp': seconds,
        'webhook-signature': secrets.map((key) => `v1,${sign(key)}`).join(' '),
      };
    }
  }
}

/** The X-Service-Signature header of a tool hook's request; `timestamp` is its X-Service-Timestamp header. */
export function signHookRequest(secret: string, timestamp: string, body: Uint8Array): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`;
}

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
function keyBytes(secret: string): Buffer {
  return Buffer.from(stripPrefix(secret), 'base64');
}

/** Returns whether every receiver decodes the secret to the same bytes; older stored secrets may be base64url. */
export function isBase64Secret(secret: string): boolean {
  return keyBytes(secret).toString('base64') === stripPrefix(secret);
}

function stripPrefix(secret: string): string {
  return secret.startsWith(WEBHOOK_PREFIX) ? secret.slice(WEBHOOK_PREFIX.length) : secret;
}
