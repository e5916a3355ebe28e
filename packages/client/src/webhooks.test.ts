import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { signDelivery } from './cli/webhooks/sign-delivery.js';
import { type SignatureForm, verifyWebhook } from './webhooks.js';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const payload = '{"event_type":"request.completed","data":{"text":"Grüße 🎫"}}';
const nowMs = 1_700_000_000_000;
const seconds = nowMs / 1000;
const stripe = new Stripe('sk_test_unused');

/** Signatures of other libraries. */
const signers: Record<SignatureForm, (key?: string, at?: number) => Record<string, string>> = {
  body: (key = secret) => ({
    'X-Service-Signature': `sha256=${createHmac('sha256', key).update(payload).digest('hex')}`,
  }),
  timestamped: (key = secret, at = seconds) => ({
    'x-service-signature': stripe.webhooks.generateTestHeaderString({ payload, secret: key, timestamp: at }),
  }),
  standard: (key = secret, at = seconds) => ({
    'webhook-id': 'e1',
    'webhook-timestamp': String(at),
    'webhook-signature': new Webhook(key).sign('e1', new Date(at * 1000), payload),
  }),
};
const other = 'whsec_b3RoZXI=';
const invalid = { name: 'TollgateError', code: 'INVALID_SIGNATURE' };
const forms = ['body', 'timestamped', 'standard'] as const;
const verify = (headers: Record<string, string>, change: object = {}) =>
  verifyWebhook({ payload, headers, secret, nowMs: () => nowMs, ...change });

describe.each(forms)('verifyWebhook, form %s', (form) => {
  it('returns the event, from bytes and from text', async () => {
    expect(await verify(signers[form]())).toEqual(JSON.parse(payload));
    const headers = new Headers(signers[form]()) as never;
    expect(await verify(headers, { payload: new TextEncoder().encode(payload) })).toEqual(JSON.parse(payload));
  });

  it('rejects another body, another secret and another form', async () => {
    await expect(verify(signers[form](), { payload: `${payload} ` })).rejects.toMatchObject(invalid);
    await expect(verify(signers[form](other))).rejects.toMatchObject(invalid);
    const required = forms.find((each) => each !== form);
    await expect(verify(signers[form](), { form: required })).rejects.toMatchObject(invalid);
    await expect(verify(signers[form](), { form })).resolves.toBeDefined();
  });

  it('accepts either secret while one is replaced', async () => {
    expect(await verify(signers[form](other), { secret: [secret, other] })).toEqual(JSON.parse(payload));
  });

  it('accepts what the command line signs', async () => {
    const headers = signDelivery(form, secret, { eventId: 'e1', payload, seconds });
    expect(await verify(headers)).toEqual(JSON.parse(payload));
  });
});

describe('verifyWebhook', () => {
  it.each(['timestamped', 'standard'] as const)('rejects an old and an early delivery of the form %s', async (form) => {
    await expect(verify(signers[form](secret, seconds - 301))).rejects.toMatchObject(invalid);
    await expect(verify(signers[form](secret, seconds + 301))).rejects.toMatchObject(invalid);
    await expect(verify(signers[form](secret, seconds - 299))).resolves.toBeDefined();
    await expect(verify(signers[form](secret, seconds - 301), { toleranceSeconds: 400 })).resolves.toBeDefined();
  });

  it('accepts one of several signatures of the form standard', async () => {
    const headers = signers.standard();
    headers['webhook-signature'] = `v1a,abc v1,!! v1,AAAA ${headers['webhook-signature']}`;
    await expect(verify(headers)).resolves.toBeDefined();
    await expect(verify({ ...headers, 'webhook-id': 'e2' })).rejects.toMatchObject(invalid);
  });

  it.each<Record<string, string>>([
    {},
    { 'x-service-signature': 'sha256=abc' },
    { 'x-service-signature': 't=1,v1=' },
    { 'webhook-signature': 'v1,AAAA' },
    { 'webhook-signature': 'v1,AAAA', 'webhook-id': 'e', 'webhook-timestamp': 'now' },
  ])('rejects the headers %j', async (headers) => {
    await expect(verify(headers)).rejects.toMatchObject(invalid);
  });

  it('rejects a signature that covers other content than the form says', async () => {
    const signed = signers.timestamped();
    const hex = signed['x-service-signature']?.split('v1=')[1];
    const replay = { 'x-service-signature': `sha256=${hex}` };
    await expect(verify(replay, { payload: `${seconds}.${payload}` })).rejects.toMatchObject({
      code: 'INVALID_ANSWER',
    });
  });
});
