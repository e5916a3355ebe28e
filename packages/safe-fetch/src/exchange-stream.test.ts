import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { SafeFetchStream } from './exchange-stream.js';
import type { SafeStreamInit } from './safe-fetch.js';
import { createHarness } from './testing/harness.js';

const { serve, local, cleanUp } = createHarness();
afterEach(cleanUp);

/** Serves one answer and opens it. */
async function open(answer: (res: ServerResponse) => void, init: SafeStreamInit = {}): Promise<SafeFetchStream> {
  const port = await serve((_req, res) => answer(res));
  const opened = await local().open(`http://hooks.test:${port}/`, { allowPrivate: true, ...init });
  if (!opened.ok) throw new Error(opened.message);
  return opened;
}

async function readText({ body }: SafeFetchStream): Promise<string> {
  let text = '';
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) text += Buffer.from(chunk).toString();
  return text;
}

describe('an opened answer', () => {
  it('gives its head and each part before the next one is sent', async () => {
    let res: ServerResponse | undefined;
    const opened = await open((arrived) => {
      res = arrived;
      arrived.writeHead(201, { 'x-tea': 'green' }).write('one');
    });
    expect(opened).toMatchObject({ status: 201, headers: { 'x-tea': 'green' }, remoteAddress: '127.0.0.1' });
    const reader = opened.body.getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('one');
    res?.end('two');
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('two');
    expect(await reader.read()).toMatchObject({ done: true });
  });

  it('gives a body that is larger than its buffer', async () => {
    const text = 'x'.repeat(900_000);
    expect(await readText(await open((res) => res.end(text)))).toBe(text);
  });

  it('closes the connection when the body is canceled', async () => {
    let closed: Promise<unknown> | undefined;
    const opened = await open((res) => {
      closed = once(res, 'close');
      res.write('one');
    });
    await opened.body.cancel();
    await closed;
  });

  it.each<[string, SafeStreamInit, (res: ServerResponse) => void]>([
    ['timeout', { timeoutMs: 1_000 }, (res) => res.write('x')],
    ['too_large', { maxResponseBytes: 10 }, (res) => res.write('x'.repeat(11))],
    ['protocol', {}, (res) => res.write('x', () => res.destroy())],
  ])('rejects the reads when the body fails: %s', async (reason, init, answer) => {
    await expect(readText(await open(answer, init))).rejects.toMatchObject({ failure: { reason, reached: true } });
  });

  it('rejects the reads when the caller aborts', async () => {
    const caller = new AbortController();
    const reading = readText(await open((res) => res.write('x'), { signal: caller.signal }));
    caller.abort();
    await expect(reading).rejects.toMatchObject({ failure: { reason: 'canceled' } });
  });

  it('fails when no head arrives, and when the host may not be called', async () => {
    await expect(open(() => {}, { timeoutMs: 500 })).rejects.toThrow('no complete answer within 500 ms');
    expect(await local().open('https://hooks.test/')).toMatchObject({ ok: false, reason: 'blocked_address' });
  });
});
