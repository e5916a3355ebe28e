import { createHmac } from 'node:crypto';

export const SIGNATURE_FORMS = ['body', 'timestamped'] as const;
export type SignatureForm = (typeof SIGNATURE_FORMS)[number];

/**
 * The X-Service-Signature header. `body`: `sha256=<hex>` over the raw body. `timestamped`: `t=<unix seconds>,v1=<hex>`
 * over `<t>.<raw body>`, which lets the receiver refuse old recordings.
 */
export function signPayload(form: SignatureForm, secret: string, payload: Uint8Array, now: Date): string {
  if (form === 'body') return `sha256=${createHmac('sha256', secret).update(payload).digest('hex')}`;
  const seconds = Math.floor(now.getTime() / 1000);
  const digest = createHmac('sha256', secret).update(`${seconds}.`).update(payload).digest('hex');
  return `t=${seconds},v1=${digest}`;
}

/** The X-Service-Signature header of a tool hook's request; `timestamp` is its X-Service-Timestamp header. */
export function signHookRequest(secret: string, timestamp: string, body: Uint8Array): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`;
}
