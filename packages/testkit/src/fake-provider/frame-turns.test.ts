import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { request } from 'undici';
import { type FakeProvider, startFakeProvider } from './start-fake-provider.js';

let fake: FakeProvider;

beforeAll(async () => {
  fake = await startFakeProvider();
});
afterAll(() => fake.stop());

const TOKENS = 2_000;
const PER_TURN_MAX = 64;

async function readStream(): Promise<string> {
  const messages = [{ role: 'user', content: `say ${TOKENS} tokens` }];
  const body = JSON.stringify({ model: 'm', stream: true, messages });
  const answer = await request(`${fake.baseUrl}/chat/completions`, { method: 'POST', body });
  return answer.body.text();
}

/** Tokens that all streams together have sent in each turn of the event loop, until `until` resolves. */
async function tokensPerTurn(until: Promise<unknown>): Promise<number[]> {
  const perTurn: number[] = [];
  let isOver = false;
  const over = until.finally(() => {
    isOver = true;
  });
  let before = fake.journal.totals().outputTokens;
  while (!isOver) {
    await nextTurn();
    const now = fake.journal.totals().outputTokens;
    perTurn.push(now - before);
    before = now;
  }
  await over;
  return perTurn;
}

it('sends few frames of a long stream in one turn of the event loop', async () => {
  const perTurn = await tokensPerTurn(readStream());
  expect(perTurn.reduce((sum, tokens) => sum + tokens, 0)).toBe(TOKENS);
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(PER_TURN_MAX);
});

it('sends several long streams in turns, each of them whole', async () => {
  const streams = Array.from({ length: 5 }, readStream);
  const perTurn = await tokensPerTurn(Promise.all(streams));
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(streams.length * PER_TURN_MAX);
  for (const text of await Promise.all(streams)) expect(text.match(/"content":"w\d\d "/g)).toHaveLength(TOKENS);
});
