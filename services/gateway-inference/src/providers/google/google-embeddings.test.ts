// Embeddings of Gemini's models against a real server that speaks the dialect.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestConnection } from '../../testing/test-connection.js';
import { startUpstreamServer, type UpstreamServer } from '../../testing/upstream-server.js';
import type { OpenConnection } from '../connections/open-connection.js';
import type { EmbeddingCall, MediaProvider } from '../contract/media-provider.js';

let server: UpstreamServer;
let vendor: OpenConnection;
let media: MediaProvider;

const shared = {
  requestId: 'r',
  accountId: 'a',
  holdId: 'h-1',
  upstreamModel: 'gemini-embedding-001',
  modelName: 'mine',
  meteredIn: 'tokens' as const,
  signal: new AbortController().signal,
};

beforeAll(async () => {
  server = await startUpstreamServer((res) => res.end());
  vendor = openTestConnection({ preset: 'gemini', base_url: server.baseUrl, keys: [{ secret: 'k-1' }] });
  media = vendor.media!;
});

afterAll(async () => {
  await vendor.models.close();
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

const embed = (body: EmbeddingCall['body'], more: Partial<EmbeddingCall> = {}) =>
  media.embed({ ...shared, body, ...more });

describe('embeddings of Gemini', () => {
  it("asks for all texts at once with their hints, and answers in OpenAI's form with the provider's usage", async () => {
    answer({ embeddings: [{ values: [0.5] }, { values: [-2] }], usageMetadata: { promptTokenCount: 9 } });
    const hints = [
      { taskType: 'RETRIEVAL_DOCUMENT', title: 'x' },
      { taskType: '', title: '' },
    ];
    const made = await embed({ model: 'mine', input: ['a', 'b'], dimensions: 1 }, { hints });
    const content = (text: string) => ({ parts: [{ text }] });
    const model = 'models/gemini-embedding-001';
    expect(server.requests[0]).toMatchObject({
      path: '/v1/models/gemini-embedding-001:batchEmbedContents',
      headers: { 'x-goog-api-key': 'k-1' },
    });
    expect(server.requests[0]!.body).toEqual({
      requests: [
        { model, content: content('a'), taskType: 'RETRIEVAL_DOCUMENT', title: 'x', outputDimensionality: 1 },
        { model, content: content('b'), outputDimensionality: 1 },
      ],
    });
    expect(JSON.parse(Buffer.from(made.body).toString())).toEqual({
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: [0.5] },
        { object: 'embedding', index: 1, embedding: [-2] },
      ],
      model: 'mine',
      usage: { prompt_tokens: 9, total_tokens: 9 },
    });
    expect(made.usage).toMatchObject({ inputUnits: 9, isEstimated: false });
  });

  it('answers in base64 where that is asked for, and estimates usage that is not reported', async () => {
    answer({ embeddings: [{ values: [0.5, -2] }] });
    const made = await embed({ input: 'fours', encoding_format: 'base64' });
    const { data, usage } = JSON.parse(Buffer.from(made.body).toString());
    expect(data[0].embedding).toBe('AAAAPwAAAMA=');
    expect(usage.prompt_tokens).toBe(2);
    expect(made.usage).toMatchObject({ inputUnits: 2, isEstimated: true });
  });

  it.each([
    ['lists of tokens', [[1, 2]], 'MODEL_CAPABILITY_UNSUPPORTED'],
    ['more than 100 texts', Array(101).fill('a'), 'VALIDATION_ERROR'],
  ])('refuses %s before the vendor is asked', async (_, input, code) => {
    await expect(embed({ input })).rejects.toMatchObject({ code });
    expect(server.requests).toEqual([]);
  });

  it.each([
    [{ embeddings: [] }, 200, { kind: 'invalid_response' }],
    [
      { error: { code: 429, message: 'slow down', status: 'RESOURCE_EXHAUSTED' } },
      429,
      { kind: 'response', status: 429 },
    ],
  ])('fails for %j', async (body, status, failure) => {
    answer(body, status);
    await expect(embed({ input: 'a' })).rejects.toMatchObject(failure);
  });
});
