import { createHmac } from 'node:crypto';
import { keyBytes } from './signing-secret.js';

export const SIGNATURE_FORMS = ['body', 'timestamped', 'standard'] as const;
export type SignatureForm = (typeof SIGNATURE_FORMS)[number];

/** The signed parts of a request, and the secret before a rotation, which signs them, too. */
export interface SignedContent {
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
