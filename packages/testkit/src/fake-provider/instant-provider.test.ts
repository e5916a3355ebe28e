import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { waitUntil } from '../wait-until.js';
import { type InstantProvider, startInstantProvider } from './instant-provider.js';

let instant: InstantProvider;
beforeAll(async () => {
  instant = await startInstantProvider();
});
afterAll(() => instant.stop());

describe('instant provider', () => {
  it('satisfies the client library, plain and streamed', async () => {
    const openai = new OpenAI({ baseURL: instant.baseUrl, apiKey: 'any', maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: 'hello' }];
    const plain = await openai.chat.completions.create({ model: 'm', messages });
    expect(plain.usage?.completion_tokens).toBe(80);
    let tokens = 0;
    let usage: number | undefined;
    for await (const chunk of await openai.chat.completions.create({ model: 'm', messages, stream: true })) {
      if (chunk.choices[0]?.delta.content) tokens++;
      usage ??= chunk.usage?.completion_tokens;
    }
    expect([tokens, usage]).toEqual([80, 80]);
  });

  it('answers pipelined and split requests one by one', async () => {
    const before = instant.answered();
    const socket = connect(Number(new URL(instant.baseUrl).port), '127.0.0.1');
    await once(socket, 'connect');
    const one = 'POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nabcd';
    const both = one + one;
    socket.write(both.slice(0, 70));
    socket.write(both.slice(70, 100));
    socket.write(both.slice(100));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    await waitUntil(() => received.split('HTTP/1.1 200 OK').length === 3, { what: 'two answers' });
    expect(instant.answered() - before).toBe(2);
    socket.destroy();
  });
});
