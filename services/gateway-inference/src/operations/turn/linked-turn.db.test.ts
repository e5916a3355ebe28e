// Images that clients link to, at providers that read links and at a provider that reads none.
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { InferenceSystem } from '../../testing/inference-system.js';
import { startUpstreamServer, type UpstreamServer } from '../../testing/upstream-server.js';
import { createWeb, type WebAnswer } from '../../testing/web.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d', 'hex');
const URL_A = 'https://example.com/a.png';
const pages: Record<string, WebAnswer> = {};
const web = createWeb(pages);
const inline = { inlineData: { mimeType: 'image/png', data: PNG.toString('base64') } };

let upstream: UpstreamServer;
let system: InferenceSystem;

beforeAll(async () => {
  upstream = await startUpstreamServer((res, { path }) => answerAs(res, path));
  const vendors = ['OPENAI', 'ANTHROPIC', 'GEMINI'].flatMap((vendor) => [
    [`${vendor}_BASE_URL`, upstream.baseUrl],
    [`${vendor}_API_KEY`, 'k'],
  ]);
  system = await InferenceSystem.start(Object.fromEntries(vendors), { web: web.client });
});

beforeEach(() => {
  for (const url of Object.keys(pages)) delete pages[url];
  pages[URL_A] = { body: PNG };
  web.asked.length = 0;
  upstream.requests.length = 0;
});

afterAll(async () => {
  await system?.stop();
  await upstream?.stop();
});

/** Answers in the vendor's format, with a usage of 1,000 and 10 tokens. */
function answerAs(res: ServerResponse, path: string): void {
  res.setHeader('content-type', 'application/json');
  if (path.includes(':generateContent')) {
    const candidates = [{ content: { role: 'model', parts: [{ text: 'seen' }] }, finishReason: 'STOP' }];
    res.end(JSON.stringify({ candidates, usageMetadata: { promptTokenCount: 1_000, candidatesTokenCount: 10 } }));
  } else if (path.endsWith('/messages')) {
    const usage = { input_tokens: 1_000, output_tokens: 10 };
    const content = [{ type: 'text', text: 'seen' }];
    res.end(JSON.stringify({ id: 'm', type: 'message', role: 'assistant', content, stop_reason: 'end_turn', usage }));
  } else {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'seen' }, finish_reason: 'stop' }];
    res.end(JSON.stringify({ id: 'c', choices, usage: { prompt_tokens: 1_000, completion_tokens: 10 } }));
  }
}

const see = { type: 'text', text: 'see' };
const asChat = {
  dialect: Dialect.OPENAI_CHAT,
  body: { messages: [{ role: 'user', content: [see, { type: 'image_url', image_url: { url: URL_A } }] }] },
};
const asResponses = {
  dialect: Dialect.OPENAI_RESPONSES,
  body: {
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'see' },
          { type: 'input_image', image_url: URL_A },
        ],
      },
    ],
  },
};
const asMessages = {
  dialect: Dialect.ANTHROPIC_MESSAGES,
  body: {
    max_tokens: 10,
    messages: [{ role: 'user', content: [see, { type: 'image', source: { type: 'url', url: URL_A } }] }],
  },
};

function ask({ dialect, body }: { dialect: Dialect; body: object }, modelId: string, more: object = {}) {
  return system.answer({ ...body, model: modelId }, { dialect, modelId, ...more });
}

describe('a linked image at a provider that reads links', () => {
  it.each([
    ['chat completions', asChat],
    ['responses', asResponses],
  ])('reaches Anthropic from %s, and costs the reported usage', async (_what, asked) => {
    const requestId = crypto.randomUUID();
    await ask(asked, 'claude-opus-5', { requestId });
    const image = { type: 'image', source: { type: 'url', url: URL_A } };
    expect(upstream.requests).toMatchObject([{ body: { messages: [{ role: 'user', content: [see, image] }] } }]);
    expect(web.asked).toEqual([]);
    expect(system.ledger.findSettlement(requestId).usage).toMatchObject({ inputTokens: 1_000n, outputTokens: 10n });
  });

  it('reaches OpenAI from messages', async () => {
    await ask(asMessages, 'gpt-5.5');
    const image = { type: 'image_url', image_url: { url: URL_A } };
    expect(upstream.requests).toMatchObject([{ body: { messages: [{ role: 'user', content: [see, image] }] } }]);
    expect(web.asked).toEqual([]);
  });
});

describe('a linked image at Google', () => {
  it.each([
    ['chat completions', asChat],
    ['responses', asResponses],
    ['messages', asMessages],
  ])('replaces the link of %s, and costs the reported usage', async (_what, asked) => {
    const requestId = crypto.randomUUID();
    await ask(asked, 'gemini-3.8-flash', { requestId });
    expect(upstream.requests).toMatchObject([{ body: { contents: [{ parts: [{ text: 'see' }, inline] }] } }]);
    expect(web.asked.map(({ url }) => url)).toEqual([URL_A]);
    expect(system.ledger.findSettlement(requestId).usage).toMatchObject({ inputTokens: 1_000n, outputTokens: 10n });
  });

  it('needs one request if the conversation links to it twice', async () => {
    const [message] = asChat.body.messages;
    const body = { messages: [message, { role: 'assistant', content: 'ok' }, message] };
    await ask({ ...asChat, body }, 'gemini-3.8-flash');
    expect(web.asked).toHaveLength(1);
    const { contents } = upstream.requests[0]!.body as { contents: { parts: unknown[] }[] };
    expect(contents.map(({ parts }) => parts[1])).toEqual([inline, undefined, inline]);
  });

  it('writes a large one to the provider outside the event loop', async () => {
    pages[URL_A] = { body: Buffer.concat([PNG, Buffer.alloc(3_000_000)]) };
    const { stringify } = JSON;
    let longest = 0;
    const spied = jest.spyOn(JSON, 'stringify').mockImplementation((value: unknown, ...more: unknown[]) => {
      const text = (stringify as (value: unknown, ...more: unknown[]) => string)(value, ...more);
      longest = Math.max(longest, text?.length ?? 0);
      return text;
    });
    try {
      await ask(asChat, 'gemini-3.8-flash');
    } finally {
      spied.mockRestore();
    }
    expect(longest).toBeLessThan(128 * 1024);
    const { contents } = upstream.requests[0]!.body as { contents: { parts: { inlineData?: { data: string } }[] }[] };
    expect(contents[0]?.parts[1]?.inlineData?.data).toHaveLength(Math.ceil((3_000_000 + PNG.length) / 3) * 4);
  });

  it('rejects so many links to it that the request would be too large', async () => {
    pages[URL_A] = { body: Buffer.concat([PNG, Buffer.alloc(5_000_000)]) };
    const requestId = crypto.randomUUID();
    const body = { messages: [asChat.body.messages[0], asChat.body.messages[0], asChat.body.messages[0]] };
    await expect(ask({ ...asChat, body }, 'gemini-3.8-flash', { requestId })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('too large'),
    });
    expect(upstream.requests).toEqual([]);
    system.ledger.findRelease(requestId);
  });

  it('prevents caching, because the content behind the URL may change', async () => {
    const asked = { ...asChat, body: { ...asChat.body, temperature: 0 } };
    for (let i = 0; i < 2; i++) await ask(asked, 'gemini-3.8-flash', { usesCache: true });
    expect(upstream.requests).toHaveLength(2);
  });

  it('releases the hold and asks no provider if the image cannot be read', async () => {
    pages[URL_A] = { status: 403 };
    const requestId = crypto.randomUUID();
    await expect(ask(asChat, 'gemini-3.8-flash', { requestId })).rejects.toMatchObject({
      status: 400,
      fields: [{ field: 'messages[0].content[1].image_url.url' }],
    });
    expect(upstream.requests).toEqual([]);
    system.ledger.findRelease(requestId);
  });

  it('streams like any other request', async () => {
    const options = { dialect: asChat.dialect, modelId: 'gemini-3.8-flash' };
    upstream.handler = (res) => {
      res.setHeader('content-type', 'text/event-stream');
      const candidates = [{ content: { role: 'model', parts: [{ text: 'seen' }] }, finishReason: 'STOP' }];
      const usageMetadata = { promptTokenCount: 1_000, candidatesTokenCount: 10 };
      res.end(`data: ${JSON.stringify({ candidates, usageMetadata })}\n\n`);
    };
    const events = await system.events({ ...asChat.body, model: 'gemini-3.8-flash', stream: true }, options);
    upstream.handler = (res, { path }) => answerAs(res, path);
    expect(events.join('')).toContain('seen');
    expect(upstream.requests).toMatchObject([{ body: { contents: [{ parts: [{ text: 'see' }, inline] }] } }]);
  });
});

it('rejects a link by its field where the service reads no URLs', async () => {
  const offline = await InferenceSystem.start({
    GEMINI_BASE_URL: upstream.baseUrl,
    GEMINI_API_KEY: 'k',
    WEB_FETCH: '0',
  });
  try {
    const options = { dialect: asChat.dialect, modelId: 'gemini-3.8-flash' };
    await expect(offline.answer({ ...asChat.body, model: 'gemini-3.8-flash' }, options)).rejects.toMatchObject({
      code: 'MODEL_CAPABILITY_UNSUPPORTED',
      fields: [{ field: 'messages[0].content[1].image_url.url' }],
    });
  } finally {
    await offline.stop();
  }
});
