// The fake provider's Anthropic format works with Anthropic's own client library, so that our adapter reads the same
// as the library.
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FakeProvider, startFakeProvider } from '@tollgate/testkit';

let fake: FakeProvider;
let client: Anthropic;

beforeAll(async () => {
  fake = await startFakeProvider({ apiKey: 'k-1' });
  client = new Anthropic({ baseURL: fake.anthropicBaseUrl, apiKey: 'k-1', maxRetries: 0 });
});
afterAll(() => fake.stop());

const tools: Anthropic.ToolUnion[] = [
  { name: 'weather', input_schema: { type: 'object', properties: { city: { type: 'string' } } } },
  { type: 'web_search_20250305', name: 'web_search' },
];

function params(text: string, more: object = {}): Anthropic.MessageCreateParamsNonStreaming {
  return { model: 'claude-opus-5', max_tokens: 100, messages: [{ role: 'user', content: text }], ...more };
}

describe("the fake, read by Anthropic's library", () => {
  it.each([
    ['text', params('hello there')],
    ['a tool call', params('go', { tools, tool_choice: { type: 'any' } })],
    ['sources', params('search 2 times', { tools })],
    ['an answer that is cut', params('say 50 tokens', { max_tokens: 5 })],
  ])('gives %s the same plain and streamed', async (_what, body) => {
    const { id: _one, ...plain } = await client.messages.create(body);
    const { id: _other, ...streamed } = await client.messages.stream(body).finalMessage();
    expect(streamed).toMatchObject({
      content: plain.content.map((block) => (block.type === 'text' ? { type: 'text', text: block.text } : block)),
      stop_reason: plain.stop_reason,
      usage: { input_tokens: plain.usage.input_tokens, output_tokens: plain.usage.output_tokens },
    });
    expect(plain.usage.server_tool_use?.web_search_requests ?? 0).toBe(body.tools && !body.tool_choice ? 2 : 0);
  });

  it.each([
    [401, Anthropic.AuthenticationError],
    [404, Anthropic.NotFoundError],
    [429, Anthropic.RateLimitError],
    [529, Anthropic.InternalServerError],
  ])('fails with %i as the library knows it', async (status, kind) => {
    const failure = await client.messages.create(params(`fail with ${status}`)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(kind);
  });

  it('takes only its key', async () => {
    const stranger = new Anthropic({ baseURL: fake.anthropicBaseUrl, apiKey: 'k-2', maxRetries: 0 });
    await expect(stranger.messages.create(params('hi'))).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
  });
});
