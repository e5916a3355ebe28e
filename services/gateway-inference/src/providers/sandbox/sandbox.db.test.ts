import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ask, InferenceSystem } from '../../testing/inference-system.js';

let system: InferenceSystem;

beforeAll(async () => {
  system = await InferenceSystem.start();
});

afterAll(() => system.stop());

const weather = {
  type: 'function',
  function: {
    name: 'weather.get',
    description: 'weather of a city',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 2 } },
      required: ['city'],
    },
  },
};

function readText(answer: { output: { content: { text: string }[] }[] }): string | undefined {
  return answer.output[0]?.content[0]?.text;
}

describe('sandbox answers', () => {
  it('echoes the last user text, the same for the same request', async () => {
    const first = await system.answer(ask('Hello, world'));
    const again = await system.answer(ask('Hello, world'));
    expect(first).toMatchObject({
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Echo: Hello, world' }] }],
      model: 'sandbox/echo-1',
      provider: 'sandbox',
      stop_reason: 'stop',
    });
    expect({ ...again, id: '' }).toEqual({ ...first, id: '' });
  });

  it('counts 4 bytes a token, 4 tokens a message, 256 a file', async () => {
    const { usage } = await system.answer(ask('12345678'));
    expect(usage).toEqual({ input_tokens: 2 + 4, output_tokens: 4, total_tokens: 10 });
    const file = { type: 'file', file: { data_base64: 'AAAA', mime_type: 'image/png' } };
    const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text: '1234' }, file] }];
    const withFile = await system.answer({ input });
    expect(withFile.usage.input_tokens).toBe(1 + 4 + 256);
    expect(readText(withFile)).toBe('Echo: 1234 [1 file]');
  });

  it('stops at max_output_tokens and reports it', async () => {
    const answer = await system.answer(ask('a rather long text'), { maxOutputTokens: 2 });
    expect(answer).toMatchObject({ stop_reason: 'max_tokens', usage: { output_tokens: 2 } });
    expect(readText(answer)).toBe('Echo: a ');
  });

  it('ends before the first stop sequence', async () => {
    const answer = await system.answer(ask('one two three', { stop: ['three', ' two'] }));
    expect(readText(answer)).toBe('Echo: one');
    expect(answer.stop_reason).toBe('stop');
  });

  it('writes the requested number of words', async () => {
    const answer = await system.answer(ask('please write 25 words'));
    expect(readText(answer)?.split(' ')).toHaveLength(25);
  });
});

describe('sandbox tools', () => {
  it.each([
    ['the words name it', ask('call tool weather_get', { tools: [weather] })],
    ['a tool is required', ask('hi', { tools: [weather], tool_choice: { type: 'required' } })],
    ['the choice names it', ask('hi', { tools: [weather], tool_choice: { type: 'auto', function: 'weather.get' } })],
  ])('calls the tool with arguments from its schema when %s', async (_when, body) => {
    const answer = await system.answer(body);
    expect(answer.stop_reason).toBe('tool_use');
    expect(answer.output[0].tool_calls).toEqual([
      {
        id: expect.any(String),
        type: 'function',
        function: { name: 'weather.get', arguments: '{"city":"city","days":2}' },
      },
    ]);
  });

  it('calls no tool when the choice is none or the tool is not declared', async () => {
    const none = await system.answer(ask('call tool weather.get', { tools: [weather], tool_choice: { type: 'none' } }));
    const unknown = await system.answer(ask('call tool other', { tools: [weather] }));
    expect([none.stop_reason, unknown.stop_reason]).toEqual(['stop', 'stop']);
  });

  it("answers with the tool's result, even when a tool is required", async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'weather.get', arguments: '{}' } };
    const input = [
      { type: 'message', role: 'user', content: [{ type: 'text', text: 'call tool weather.get' }] },
      { type: 'message', role: 'assistant', tool_calls: [call] },
      { type: 'message', role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: '{"c":21}' }] },
    ];
    const answer = await system.answer({ input, tools: [weather], tool_choice: { type: 'required' } });
    expect(readText(answer)).toBe('weather.get returned: {"c":21}');
  });
});

describe('sandbox structured output', () => {
  it('returns a document that conforms to the closed schema', async () => {
    const schema = {
      type: 'object',
      properties: {
        title: { type: 'string', maxLength: 3 },
        when: { type: 'string', format: 'date' },
        kind: { enum: ['b', 'a'] },
        note: { type: ['string', 'null'] },
        parts: { type: 'array', minItems: 2, items: { $ref: '#/$defs/part' } },
      },
      $defs: { part: { type: 'object', properties: { n: { type: 'number' }, sub: { $ref: '#/$defs/part' } } } },
    };
    const format = { type: 'json_schema', json_schema: { name: 'doc', schema } };
    const answer = await system.answer(ask('go', { output_format: format }), { maxOutputTokens: 4000 });
    const document = JSON.parse(readText(answer)!);
    expect(document).toMatchObject({ title: 'tit', when: '2025-01-01', kind: 'b', note: 'note' });
    expect(document.parts).toHaveLength(2);
    expect(document.parts[0].sub.sub.n).toBe(1);
  });

  it('returns valid JSON for json_object, and cut JSON at max_output_tokens', async () => {
    const whole = await system.answer(ask('hey', { output_format: { type: 'json_object' } }));
    expect(JSON.parse(readText(whole)!)).toEqual({ echo: 'hey' });
    const cut = await system.answer(ask('hey', { output_format: { type: 'json_object' } }), { maxOutputTokens: 1 });
    expect(cut.stop_reason).toBe('max_tokens');
    expect(() => JSON.parse(readText(cut)!)).toThrow();
  });
});

describe('sandbox failures', () => {
  it.each([
    ['429', { code: 'PROVIDER_ERROR', status: 429, upstreamStatus: 429, retryable: true }],
    ['500', { code: 'PROVIDER_ERROR', status: 500, upstreamStatus: 500, retryable: true }],
    ['402', { code: 'UPSTREAM_PAYMENT_REQUIRED', status: 402, retryable: false }],
    ['timeout', { code: 'PROVIDER_TIMEOUT', status: 504, retryable: true }],
    ['cut', { code: 'PROVIDER_ERROR', causeKind: 'transport', retryable: true }],
  ])('fails the call for "fail with %s", and charges nothing', async (failure, expected) => {
    for (const stream of [false, failure !== 'cut']) {
      const call = system.call();
      const turn = system.turn(ask(`fail with ${failure}`), { stream }, call);
      await expect(turn[Symbol.asyncIterator]().next()).rejects.toMatchObject(expected);
      expect(system.ledger.findSettlement(call.requestId).usage).toMatchObject({ inputTokens: 0n, outputTokens: 0n });
    }
  });

  it('delivers at least 3 tokens for "fail with cut", then an error, and charges them', async () => {
    const call = system.call();
    const events: { type: string; code?: string }[] = [];
    for await (const frame of system.turn(ask('fail with cut'), { stream: true }, call)) {
      for (const data of frame.data.length > 0 ? [frame] : frame.more) {
        events.push(JSON.parse(Buffer.from(data.data).toString('utf8')));
      }
    }
    const updates = events.filter(({ type }) => type === 'update');
    expect(updates.length).toBeGreaterThanOrEqual(3);
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'PROVIDER_ERROR', retryable: true });
    const { usage, facts } = system.ledger.findSettlement(call.requestId);
    expect(usage).toMatchObject({ outputTokens: BigInt(updates.length), estimated: true });
    expect(usage?.inputTokens).toBeGreaterThan(0n);
    expect(facts).toMatchObject({ success: false, errorCode: 'PROVIDER_ERROR' });
  });

  it('waits before the first token and between further ones', async () => {
    const startedAt = Date.now();
    await system.events(ask('wait 60 ms slow 20 ms abcd'));
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(60 + 20 * 5);
  });
});
