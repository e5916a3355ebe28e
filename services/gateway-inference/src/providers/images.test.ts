// Images of the vendors, against real servers that speak their wire formats.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestConnection } from '../testing/test-connection.js';
import { startUpstreamServer, type UpstreamServer } from '../testing/upstream-server.js';
import type { OpenConnection } from './connections/open-connection.js';
import type { ImageCall, ImageProvider } from './contract/image-provider.js';
import { encodePng } from './sandbox/sandbox-images.js';

const png = encodePng(2, 2, () => 0xff0000).toString('base64');
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100', 'hex').toString('base64');

let server: UpstreamServer;
let vendors: OpenConnection[];
const providers: Record<string, ImageProvider> = {};

beforeAll(async () => {
  server = await startUpstreamServer((res) => res.end());
  const access = { base_url: server.baseUrl, keys: [{ secret: 'k-1' }] };
  vendors = ['openai', 'gemini', 'xai'].map((preset) => openTestConnection({ ...access, preset }));
  for (const { images } of vendors) providers[images!.id] = images!;
});

afterAll(async () => {
  await Promise.all(vendors.map(({ models }) => models.close()));
  await server.stop();
});

beforeEach(() => {
  server.requests.length = 0;
});

function answer(body: unknown, status = 200): void {
  server.handler = (res) => {
    res.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'up_1' });
    res.end(JSON.stringify(body));
  };
}

function make(provider: string, more: Partial<ImageCall> = {}) {
  const { signal } = new AbortController();
  const call = {
    requestId: 'r',
    accountId: 'a',
    holdId: 'h-1',
    upstreamModel: 'gpt-image-2.5-flare',
    prompt: 'a cat',
    n: 2,
    signal,
  };
  return providers[provider]!.generateImages({ ...call, ...more });
}

describe('images of OpenAI and xAI', () => {
  it('requests the size and quality that have a price', async () => {
    answer({ created: 1, data: [{ b64_json: png }, { b64_json: jpeg }], usage: { input_tokens: 5, output_tokens: 7 } });
    const made = await make('openai');
    expect(server.requests[0]).toMatchObject({
      path: '/v1/images/generations',
      headers: { authorization: 'Bearer k-1', 'x-client-request-id': 'h-1' },
      body: {
        model: 'gpt-image-2.5-flare',
        prompt: 'a cat',
        n: 2,
        size: '1024x1024',
        quality: 'high',
        output_format: 'png',
      },
    });
    expect(made.images.map(({ mimeType }) => mimeType)).toEqual(['image/png', 'image/jpeg']);
    expect(made).toMatchObject({ providerRequestId: 'up_1', tokens: { inputTokens: 5, outputTokens: 7 } });
    await make('openai', { upstreamModel: 'dall-e-3' });
    expect(server.requests[1]?.body).toEqual({
      model: 'dall-e-3',
      prompt: 'a cat',
      n: 2,
      size: '1024x1024',
      response_format: 'b64_json',
    });
    await make('xai', { upstreamModel: 'grok-imagine-image' });
    expect(server.requests[2]?.body).toEqual({
      model: 'grok-imagine-image',
      prompt: 'a cat',
      n: 2,
      response_format: 'b64_json',
    });
  });

  it.each(['1536x1024', '1024x1536', '1792x1024', '4096x4096'])(
    'refuses the size %s, which costs more than the price',
    async (size) => {
      answer({ created: 1, data: [{ b64_json: png }] });
      for (const upstreamModel of ['gpt-image-2.5-flare', 'dall-e-3']) {
        await expect(make('openai', { upstreamModel, size })).rejects.toMatchObject({
          code: 'MODEL_CAPABILITY_UNSUPPORTED',
          fields: [{ field: 'size', message: expect.stringContaining('1024x1024') }],
        });
      }
      expect(server.requests).toHaveLength(0);
    },
  );

  it('requests a smaller size as it is', async () => {
    answer({ created: 1, data: [{ b64_json: png }] });
    await make('openai', { size: '512x1024' });
    expect(server.requests[0]?.body).toMatchObject({ size: '512x1024' });
  });

  it.each([
    [
      400,
      { error: { message: 'Your request was rejected by the safety system.', code: 'moderation_blocked' } },
      'response',
    ],
    [400, { error: { message: 'Billing hard limit has been reached', code: 'billing_hard_limit_reached' } }, 'payment'],
    [200, { data: [] }, 'invalid_response'],
    [200, { data: [{ b64_json: Buffer.from('no image at all, really').toString('base64') }] }, 'invalid_response'],
  ])('converts %i %j to a failure of kind %s', async (status, body, kind) => {
    answer(body, status);
    await expect(make('openai')).rejects.toMatchObject({ kind, provider: 'openai', providerRequestId: 'up_1' });
  });

  it('sends images to edit as a form at OpenAI, and refuses them at xAI', async () => {
    answer({ created: 1, data: [{ b64_json: png }] });
    const source = { bytes: Buffer.from(png, 'base64'), filename: 'room.png', mimeType: 'image/png' };
    const edited = { sources: [source], mask: { ...source, filename: 'mask.png' } };
    expect((await make('openai', { edited })).images).toHaveLength(1);
    const { path, headers, raw } = server.requests[0]!;
    const type = String(headers['content-type']);
    const form = await new Response(raw, { headers: { 'content-type': type } }).formData();
    expect([path, ...form.keys()]).toEqual([
      '/v1/images/edits',
      ...['model', 'prompt', 'n', 'size', 'quality', 'output_format', 'image', 'mask'],
    ]);
    const sent = form.get('image') as File;
    expect([sent.name, Buffer.from(await sent.arrayBuffer()).toString('base64')]).toEqual(['room.png', png]);
    await expect(make('xai', { edited })).rejects.toMatchObject({ code: 'MODEL_CAPABILITY_UNSUPPORTED' });
    expect(server.requests).toHaveLength(1);
  });

  it('stops when the caller leaves', async () => {
    const leaving = new AbortController();
    server.handler = () => leaving.abort(new Error('left'));
    await expect(make('openai', { signal: leaving.signal })).rejects.toThrow('left');
  });
});

describe('images of Google', () => {
  const response = (parts: object[], finishReason = 'STOP') => ({
    candidates: [{ content: { role: 'model', parts }, finishReason }],
    usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 1120 },
  });

  it('requests images one by one, in the resolution that has a price', async () => {
    answer(response([{ text: 'Here' }, { inlineData: { mimeType: 'image/png', data: png } }]));
    const made = await make('google-ai-studio', { upstreamModel: 'gemini-nano-banana-2.1', n: 6, size: '1536x1024' });
    expect(made.images).toHaveLength(6);
    expect(made.tokens).toMatchObject({ inputTokens: 24, outputTokens: 6720 });
    expect(server.requests).toHaveLength(6);
    expect(server.requests[0]).toMatchObject({
      path: '/v1/models/gemini-nano-banana-2.1:generateContent',
      headers: { 'x-goog-api-key': 'k-1' },
      body: {
        contents: [{ role: 'user', parts: [{ text: 'a cat' }] }],
        generationConfig: { responseModalities: ['IMAGE'], imageConfig: { imageSize: '1K', aspectRatio: '3:2' } },
      },
    });
  });

  it('leaves withheld images out, and fails if all were withheld', async () => {
    let left = 1;
    server.handler = (res) => {
      const parts = left-- > 0 ? [{ inlineData: { data: png } }] : [];
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(JSON.stringify(response(parts, 'IMAGE_SAFETY')));
    };
    expect((await make('google-ai-studio', { n: 3 })).images).toHaveLength(1);
    await expect(make('google-ai-studio', { n: 3 })).rejects.toMatchObject({
      kind: 'response',
      status: 400,
      detail: 'no image was made: IMAGE_SAFETY',
    });
  });

  it('sends images to edit after the prompt, and refuses masks', async () => {
    answer(response([{ inlineData: { data: png } }]));
    const source = { bytes: Buffer.from(png, 'base64'), filename: 'a.png', mimeType: 'image/png' };
    await make('google-ai-studio', { n: 1, edited: { sources: [source], mask: undefined } });
    const parts = [{ text: 'a cat' }, { inlineData: { mimeType: 'image/png', data: png } }];
    expect(server.requests[0]!.body).toMatchObject({ contents: [{ role: 'user', parts }] });
    const masked = make('google-ai-studio', { edited: { sources: [source], mask: source } });
    await expect(masked).rejects.toMatchObject({ code: 'MODEL_CAPABILITY_UNSUPPORTED' });
  });

  it('rejects sizes that the vendor does not support', async () => {
    await expect(make('google-ai-studio', { size: '7x7' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
