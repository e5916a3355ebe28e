import { describe, expect, it } from '@jest/globals';
import { fixture } from '../../testing/fixtures.js';
import { allCuts, play, type Recorder } from '../../testing/stream-player.js';
import type { ModelCall } from '../contract/provider.js';
import { ForwardedGenerateWire, forwardedGenerateRequest } from './forwarded.js';

const MODEL = 'gemini-3.8-flash';
const wire = new ForwardedGenerateWire('google-ai-studio', MODEL, 'our/name');
const named = (text: string): string => text.replace(/("modelVersion": ?)"[^"]+"/, '$1"our/name"');

function playFixture(name: string, cuts: number[] = []): Recorder {
  return play(wire, Buffer.from(fixture('google', name)), cuts);
}

describe('a forwarded stream of generateContent', () => {
  it.each(['text', 'tools', 'search'])('passes %s through byte by byte except for the model name', (name) => {
    const { forwarded, answer } = playFixture(`${name}.chunks.txt`);
    const sent = [...fixture('google', `${name}.chunks.txt`).matchAll(/^data: (.*)$/gm)].map(([, data]) =>
      named(data!),
    );
    expect(forwarded.map(({ data }) => data)).toEqual(sent);
    expect(forwarded.map(({ isLast }) => isLast).lastIndexOf(false)).toBe(forwarded.length - 2);
    expect(answer?.usage?.outputTokens).toBeGreaterThan(0);
  });

  it('reads the same wherever the bytes are cut', () => {
    const bytes = Buffer.from(fixture('google', 'tools.chunks.txt'));
    const whole = JSON.stringify(playFixture('tools.chunks.txt'));
    for (const cuts of allCuts(bytes, 11)) {
      expect(JSON.stringify(playFixture('tools.chunks.txt', cuts))).toBe(whole);
    }
  });

  it('counts thoughts as output', () => {
    expect(playFixture('text.chunks.txt').text).toContain('**Greeting**');
  });

  it.each(['error-mid-stream', 'abrupt-end'])('reports %s as ours, and does not forward the error', (name) => {
    const { forwarded, failure, answer } = playFixture(`${name}.chunks.txt`);
    expect(failure?.code).toBe('PROVIDER_ERROR');
    expect(answer).toBeUndefined();
    expect(forwarded.some(({ data, isLast }) => isLast || data.includes('"error"'))).toBe(false);
  });
});

describe('a forwarded plain answer of generateContent', () => {
  it.each(['content-text', 'content-tools', 'content-search', 'content-code'])(
    'forwards %s unchanged except for the model name, with its usage and searches',
    (name) => {
      const text = fixture('google', `${name}.json`);
      const answer = wire.readAnswer(JSON.parse(text), text);
      expect(Buffer.from(answer!.forwarded!).toString()).toBe(named(text));
      expect(answer?.usage?.inputTokens).toBeGreaterThan(0);
      expect(answer?.usage?.searches !== undefined).toBe(name === 'content-search');
    },
  );

  it('rejects a body that is no answer', () => {
    expect(wire.readAnswer({}, '{}')).toBeUndefined();
  });
});

describe('a forwarded request of generateContent', () => {
  const call = { upstreamModel: MODEL, maxOutputTokens: 300 } as ModelCall;

  it('keeps the body of the client with the bound of the hold, without the name of the model', () => {
    const client = { contents: [{ parts: [{ text: 'x', thoughtSignature: 'c' }] }], vendorField: { a: [null] } };
    const generationConfig = { maxOutputTokens: 9_000, topK: 5 };
    expect(forwardedGenerateRequest(call, { ...client, model: 'models/x', generationConfig })).toEqual({
      ...client,
      generationConfig: { maxOutputTokens: 300, topK: 5 },
    });
    expect(forwardedGenerateRequest(call, client)).toEqual({ ...client, generationConfig: { maxOutputTokens: 300 } });
  });

  it.each([
    [24_576, 150],
    [100, 100],
    [0, 0],
    [-1, -1],
  ])('leaves half of the bound for the answer: a budget of %i becomes %i', (asked, budget) => {
    const generationConfig = { thinkingConfig: { thinkingBudget: asked, includeThoughts: true } };
    expect(forwardedGenerateRequest(call, { generationConfig }).generationConfig).toEqual({
      maxOutputTokens: 300,
      thinkingConfig: { thinkingBudget: budget, includeThoughts: true },
    });
  });
});
