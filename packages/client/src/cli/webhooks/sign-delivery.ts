import { createHmac } from 'node:crypto';
import type { SignatureForm } from '../../webhooks.js';

export interface SignedDelivery {
  eventId: string;
  payload: string;
  /** Unix time. */
  seconds: number;
}

/** Signs a forwarded delivery as the service signs its own. */
export function signDelivery(form: SignatureForm, secret: string, delivery: SignedDelivery): Record<string, string> {
  const { eventId, payload, seconds } = delivery;
  if (form === 'body') return { 'x-service-signature': `sha256=${sign(secret, payload, 'hex')}` };
  if (form === 'timestamped') {
    return { 'x-service-signature': `t=${seconds},v1=${sign(secret, `${seconds}.${payload}`, 'hex')}` };
  }
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${sign(key, `${eventId}.${seconds}.${payload}`, 'base64')}`,
  };
}

function sign(key: string | Buffer, content: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(content).digest(encoding);
}
