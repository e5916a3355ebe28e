import { describe, expect, it } from '@jest/globals';
import { verify } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { type SignatureForm, signatureHeaders } from './signature.js';

const secret = 'whsec_an-example-secret';
const payload = Buffer.from('{"event_type":"request.completed","data":{"text":"Grüße 🎫"}}');
const stripe = new Stripe('sk_test_unused');

/** The X-Service-Signature header of the two forms that have it. */
function signPayload(form: SignatureForm, key: string, body: Uint8Array, now: Date): string {
  return signatureHeaders(form, key, { eventId: 'e', payload: body }, now)['x-service-signature'] ?? '';
}

describe('form A (body)', () => {
  it('passes an independent verifier', async () => {
    const header = signPayload('body', secret, payload, new Date());
    expect(header).toMatch(/^sha256=[0-9a-f]{64}$/);
    await expect(verify(secret, payload.toString(), header)).resolves.toBe(true);
  });

  it('fails for another body or another secret', async () => {
    const header = signPayload('body', secret, payload, new Date());
    await expect(verify(secret, `${payload} `, header)).resolves.toBe(false);
    await expect(verify('whsec_other', payload.toString(), header)).resolves.toBe(false);
  });
});

describe('form B (timestamped)', () => {
  it('passes an independent verifier', () => {
    const header = signPayload('timestamped', secret, payload, new Date());
    expect(header).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
    expect(stripe.webhooks.constructEvent(payload, header, secret)).toEqual(JSON.parse(payload.toString()));
  });

  it('fails for another body, another secret, or an old timestamp', () => {
    const header = signPayload('timestamped', secret, payload, new Date());
    const old = signPayload('timestamped', secret, payload, new Date(Date.now() - 301_000));
    expect(() => stripe.webhooks.constructEvent(`${payload} `, header, secret)).toThrow();
    expect(() => stripe.webhooks.constructEvent(payload, header, 'whsec_other')).toThrow();
    expect(() => stripe.webhooks.constructEvent(payload, old, secret)).toThrow(/tolerance/);
  });
});

describe('two secrets', () => {
  const [current, previous] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_b3RoZXI='] as const;
  const content = { eventId: 'e', payload, previousSecret: previous };

  it.each([current, previous])('signs the forms that can carry two signatures with %s', (secretOfReceiver) => {
    const { 'x-service-signature': header = '' } = signatureHeaders('timestamped', current, content, new Date());
    expect(stripe.webhooks.constructEvent(payload, header, secretOfReceiver)).toBeDefined();
    const headers = signatureHeaders('standard', current, content, new Date());
    expect(new Webhook(secretOfReceiver).verify(payload, headers)).toBeDefined();
  });

  it('signs the form with one signature with the current secret', () => {
    const { previousSecret: _, ...alone } = content;
    expect(signatureHeaders('body', current, content, new Date())).toEqual(
      signatureHeaders('body', current, alone, new Date()),
    );
  });
});

describe('the form of Standard Webhooks', () => {
  // The example of the specification's reference implementations.
  const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const eventId = 'msg_p5jXN8AQM9LWM0D4loKWxJek';

  it('produces the signature of the published example', () => {
    const example = { eventId, payload: Buffer.from('{"test": 2432232314}') };
    expect(signatureHeaders('standard', exampleSecret, example, new Date(1_614_265_330_000))).toEqual({
      'webhook-id': eventId,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('passes an independent verifier', () => {
    const headers = signatureHeaders('standard', exampleSecret, { eventId, payload }, new Date());
    expect(new Webhook(exampleSecret).verify(payload, headers)).toEqual(JSON.parse(payload.toString()));
  });

  it('fails for another body, another id, another secret, or an old timestamp', () => {
    const headers = signatureHeaders('standard', exampleSecret, { eventId, payload }, new Date());
    const old = signatureHeaders('standard', exampleSecret, { eventId, payload }, new Date(Date.now() - 301_000));
    const verifier = new Webhook(exampleSecret);
    expect(() => verifier.verify(`${payload} `, headers)).toThrow('No matching signature');
    expect(() => verifier.verify(payload, { ...headers, 'webhook-id': 'other' })).toThrow('No matching signature');
    expect(() => new Webhook('whsec_b3RoZXI=').verify(payload, headers)).toThrow('No matching signature');
    expect(() => verifier.verify(payload, old)).toThrow('too old');
  });
});
