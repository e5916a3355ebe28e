import { describe, expect, it } from '@jest/globals';
import { verify } from '@octokit/webhooks-methods';
import Stripe from 'stripe';
import { signPayload } from './signature.js';

const secret = 'whsec_an-example-secret';
const payload = Buffer.from('{"event_type":"request.completed","data":{"text":"Grüße 🎫"}}');
const stripe = new Stripe('sk_test_unused');

describe('form A (body)', () => {
  it('is accepted by an independent verifier', async () => {
    const header = signPayload('body', secret, payload, new Date());
    expect(header).toMatch(/^sha256=[0-9a-f]{64}$/);
    await expect(verify(secret, payload.toString(), header)).resolves.toBe(true);
  });

  it('is refused for another body or another secret', async () => {
    const header = signPayload('body', secret, payload, new Date());
    await expect(verify(secret, `${payload} `, header)).resolves.toBe(false);
    await expect(verify('whsec_other', payload.toString(), header)).resolves.toBe(false);
  });
});

describe('form B (timestamped)', () => {
  it('is accepted by an independent verifier', () => {
    const header = signPayload('timestamped', secret, payload, new Date());
    expect(header).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
    expect(stripe.webhooks.constructEvent(payload, header, secret)).toEqual(JSON.parse(payload.toString()));
  });

  it('is refused for another body, another secret, or when it is old', () => {
    const header = signPayload('timestamped', secret, payload, new Date());
    const old = signPayload('timestamped', secret, payload, new Date(Date.now() - 301_000));
    expect(() => stripe.webhooks.constructEvent(`${payload} `, header, secret)).toThrow();
    expect(() => stripe.webhooks.constructEvent(payload, header, 'whsec_other')).toThrow();
    expect(() => stripe.webhooks.constructEvent(payload, old, secret)).toThrow(/tolerance/);
  });
});
