import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { parseDelivery, startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.js';

let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await startWebhookReceiver();
});
afterEach(() => receiver.stop());

const post = (body: string, signal?: AbortSignal) =>
  request(receiver.url, { method: 'POST', body, headers: { 'x-signature': 's' }, signal });

describe('webhook receiver', () => {
  it('records bytes and headers and answers 200', async () => {
    const { statusCode } = await post('{"a": 1}');
    expect(statusCode).toBe(200);
    const [delivery] = receiver.deliveries;
    expect(delivery).toMatchObject({ method: 'POST', path: '/', headers: { 'x-signature': 's' } });
    expect(delivery?.rawBody.toString()).toBe('{"a": 1}');
    expect(parseDelivery(delivery!)).toEqual({ a: 1 });
  });

  it('returns scripted answers in order, then the default answer', async () => {
    receiver.answerWith({ status: 202, body: { ok: true } });
    receiver.answerNext({ status: 500 }, { redirectTo: 'http://example.com/' });
    const [first, second, third] = [await post('1'), await post('2'), await post('3')];
    expect([first.statusCode, second.statusCode, third.statusCode]).toEqual([500, 302, 202]);
    expect(second.headers.location).toBe('http://example.com/');
    expect(await third.body.json()).toEqual({ ok: true });
    receiver.answerWith((delivery) => ({ body: delivery.rawBody.toString().toUpperCase() }));
    expect(await (await post('echo')).body.text()).toBe('ECHO');
  });

  it('waits for later deliveries, and names missing ones', async () => {
    const waiting = receiver.waitFor((delivery) => delivery.rawBody.toString() === 'second');
    await post('first');
    await post('second');
    expect((await waiting).rawBody.toString()).toBe('second');
    expect(await receiver.waitForCount(2)).toHaveLength(2);
    await expect(receiver.waitForCount(3, 5)).rejects.toThrow('timed out after 5 ms waiting for 3 deliveries');
  });

  it('answers by hanging, cutting the connection or delaying as instructed', async () => {
    receiver.answerNext({ hang: true }, { cut: true }, { delayMs: 20 });
    const controller = new AbortController();
    const hung = post('1', controller.signal);
    await receiver.waitForCount(1);
    controller.abort();
    await expect(hung).rejects.toThrow();
    await expect(post('2')).rejects.toThrow();
    const started = performance.now();
    expect((await post('3')).statusCode).toBe(200);
    expect(performance.now() - started).toBeGreaterThanOrEqual(19);
  });
});
