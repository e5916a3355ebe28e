import { describe, expect, it } from '@jest/globals';
import { fixture } from '../../testing/fixtures.js';
import { allCuts, play, type Recorder } from '../../testing/stream-player.js';
import type { ModelCall } from '../contract/provider.js';
import { betaHeader, ForwardedMessagesWire, forwardedMessagesRequest } from './forwarded.js';

const wire = new ForwardedMessagesWire('anthropic', 'our/name');

function playFixture(name: string, cuts: number[] = []): Recorder {
  return play(wire, Buffer.from(fixture('anthropic', name)), cuts);
}

/** The events of a fixture under our model name. */
function expectedEvents(name: string): { name: string; data: string }[] {
  return fixture('anthropic', name)
    .split('\n\n')
    .map((block) => /^event: (.*)\ndata: (.*)$/m.exec(block))
    .filter((match) => match !== null)
    .map(([, event, data]) => ({
      name: event!,
      data: data!.replace('"model":"claude-sonnet-5-5"', '"model":"our/name"'),
    }));
}

describe('a forwarded stream of a message', () => {
  it.each(['text', 'tools', 'search', 'refusal'])(
    'passes %s through byte by byte except for the model name',
    (name) => {
      const { forwarded, answer, failure } = playFixture(`${name}.chunks.txt`);
      expect(failure).toBeUndefined();
      expect(forwarded.map(({ data, name: event }) => ({ name: event, data }))).toEqual(
        expectedEvents(`${name}.chunks.txt`),
      );
      const ends = forwarded.filter(({ isLast }) => isLast).map(({ name: event }) => event);
      expect(ends).toEqual(['message_delta', 'message_stop']);
      expect(answer?.usage).toBeDefined();
    },
  );

  it('settles the usage of the plain answer', () => {
    for (const name of ['text', 'tools', 'search', 'refusal']) {
      const text = fixture('anthropic', `message-${name}.json`);
      const plain = wire.readAnswer(JSON.parse(text), text);
      const { answer } = playFixture(`${name}.chunks.txt`);
      expect(answer).toMatchObject({ usage: plain?.usage, stopReason: plain?.stopReason });
    }
    expect(playFixture('text.chunks.txt').answer?.usage).toMatchObject({
      inputTokens: 60,
      cacheReadInputTokens: 30,
      cacheWriteInputTokens: 20,
      reasoningTokens: 14,
    });
    expect(playFixture('search.chunks.txt').answer?.usage?.searches).toBeGreaterThan(0);
  });

  it('reads the same wherever the bytes are cut', () => {
    const bytes = Buffer.from(fixture('anthropic', 'text.chunks.txt'));
    const whole = JSON.stringify(playFixture('text.chunks.txt'));
    for (const cuts of allCuts(bytes, 7)) expect(JSON.stringify(playFixture('text.chunks.txt', cuts))).toBe(whole);
  });

  it('emits no event and no usage when it fails before its first block', () => {
    const { forwarded, failure, usage } = playFixture('error-before-output.chunks.txt');
    expect([forwarded, usage]).toEqual([[], undefined]);
    expect(failure).toMatchObject({ code: 'PROVIDER_ERROR', upstreamStatus: 500 });
  });

  it('fails later without passing its error or its end through', () => {
    for (const name of ['error-mid-stream.chunks.txt', 'abrupt-end.chunks.txt']) {
      const { forwarded, failure, answer, usage } = playFixture(name);
      expect(failure?.code).toBe('PROVIDER_ERROR');
      expect(answer).toBeUndefined();
      expect(usage?.inputTokens).toBe(60);
      expect(forwarded.filter(({ isLast, name: event }) => isLast || event === 'error')).toEqual([]);
    }
  });
});

describe('a forwarded plain message', () => {
  it('replaces only the model name of the answer, even if the input of a tool has one', () => {
    const input = { model: 'claude-sonnet-5-5' };
    const text = JSON.stringify({
      content: [{ type: 'tool_use', id: 't', name: 'f', input }],
      model: 'claude-sonnet-5-5',
    });
    const answer = wire.readAnswer(JSON.parse(text), text);
    expect(JSON.parse(Buffer.from(answer!.forwarded!).toString())).toEqual({
      content: [{ type: 'tool_use', id: 't', name: 'f', input }],
      model: 'our/name',
    });
  });
});

describe('a forwarded request', () => {
  const call = { upstreamModel: 'claude-x', maxOutputTokens: 3_000 } as ModelCall;
  const messages = [{ role: 'user', content: 'hi' }];

  it('keeps the body of the client with our model and the bound of the hold', () => {
    const client = {
      model: 'our/name',
      max_tokens: 9_000,
      top_k: 5,
      stream: true,
      messages,
      vendor_field: { a: [null] },
    };
    expect(forwardedMessagesRequest(call, client)).toEqual({ ...client, model: 'claude-x', max_tokens: 3_000 });
  });

  it.each([
    [{ type: 'enabled', budget_tokens: 1_200, display: 'omitted' }, 3_000, undefined],
    [{ type: 'enabled', budget_tokens: 5_000, display: 'omitted' }, 3_000, { budget_tokens: 1_500 }],
    [{ type: 'enabled', budget_tokens: 8_900 }, 9_000, undefined],
    [{ type: 'enabled', budget_tokens: 5_000 }, 1_024, { type: 'disabled', budget_tokens: undefined }],
    [{ type: 'adaptive' }, 10, undefined],
    [{ type: 'disabled' }, 10, undefined],
  ])('reduces a thinking budget %j of 9,000 tokens to a bound of %i', (thinking, maxOutputTokens, changes) => {
    const client = { messages, thinking, max_tokens: 9_000 };
    const body = forwardedMessagesRequest({ ...call, maxOutputTokens }, client);
    expect(body.thinking).toEqual({ ...thinking, ...changes });
  });

  const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } };
  const text = { type: 'text', text: 'x', ...hour };
  const user = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
  it.each([
    hour,
    { system: [text] },
    { tools: [{ name: 'f', ...hour }] },
    user(text),
    user({ type: 'tool_result', content: [text] }),
    user({ type: 'document', source: { type: 'content', content: [text] } }),
  ])('rejects a cache lifetime without a price: %j', (more) => {
    const short = JSON.parse(JSON.stringify(more).replaceAll('1h', '5m'));
    expect(forwardedMessagesRequest(call, { messages, ...short })).toMatchObject(short);
    expect(() => forwardedMessagesRequest(call, { messages, ...more })).toThrow(/no price in the catalog/);
    const priced = { ...call, forward: { hasHourCache: true } } as ModelCall;
    expect(forwardedMessagesRequest(priced, { messages, ...more })).toMatchObject(more);
  });

  it('rejects a lifetime that the vendor does not have, even if an hour has a price', () => {
    const priced = { ...call, forward: { hasHourCache: true } } as ModelCall;
    const day = { cache_control: { type: 'ephemeral', ttl: '24h' } };
    expect(() => forwardedMessagesRequest(priced, { messages, ...day })).toThrow(/24h/);
  });

  it.each([
    [{ type: 'web_search_20250305', name: 'web_search' }, { max_uses: 5 }],
    [{ type: 'web_search_20260209', name: 'web_search', max_uses: 8 }, { max_uses: 5 }],
    [{ type: 'web_search_20250305', name: 'web_search', max_uses: 2 }, { max_uses: 2 }],
    [
      { type: 'web_fetch_20250910', name: 'web_fetch' },
      { max_uses: 5, max_content_tokens: 16_384 },
    ],
    [
      { type: 'web_fetch_20260318', name: 'web_fetch', max_content_tokens: 9 },
      { max_uses: 5, max_content_tokens: 9 },
    ],
    [{ type: 'bash_20250124', name: 'bash' }, {}],
    [{ name: 'f', input_schema: {}, defer_loading: true }, {}],
  ])('bounds the uses of the tool %j by what the hold covers', (tool, bounds) => {
    expect(forwardedMessagesRequest(call, { messages, tools: [tool] }).tools).toEqual([{ ...tool, ...bounds }]);
  });

  it('removes members of features that are not forwarded', () => {
    const body = forwardedMessagesRequest(call, { messages, tags: { team: 'a' }, context_hint: {}, metadata: {} });
    expect(Object.keys(body).sort()).toEqual(['max_tokens', 'messages', 'metadata', 'model']);
  });
});

it.each([
  [[], []],
  [['context-1m-2025-08-07', 'files-api-2025-04-14', 'mine'], []],
  [
    ['interleaved-thinking-2025-05-14', 'fast-mode-2026-02-01', 'structured-outputs-2025-11-13'],
    ['anthropic-beta', 'interleaved-thinking-2025-05-14,structured-outputs-2025-11-13'],
  ],
  [
    ['pdfs-2024-09-25', 'pdfs-2024-09-25'],
    ['anthropic-beta', 'pdfs-2024-09-25'],
  ],
  [
    ['advanced-tool-use-2025-11-20', 'mid-conversation-system-2026-04-07', 'claude-code-20250219', 'effort-2027-01-01'],
    [
      'anthropic-beta',
      'advanced-tool-use-2025-11-20,mid-conversation-system-2026-04-07,claude-code-20250219,effort-2027-01-01',
    ],
  ],
  [['effort', 'compact-2026-01-12', 'advisor-tool-2026-03-01', 'request-tags-2026-08-21'], []],
])('forwards %j as %j', (betas, header) => {
  expect(betaHeader(betas)).toEqual(header);
});
