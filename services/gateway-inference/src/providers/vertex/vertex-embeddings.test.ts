// Embeddings of Vertex AI against a real server that speaks the dialect. Google's token endpoint is replaced.
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher } from 'undici';
import { openTestConnection } from '../../testing/test-connection.js';
import { startUpstreamServer, type UpstreamServer } from '../../testing/upstream-server.js';
import type { OpenConnection } from '../connections/open-connection.js';

const usual = getGlobalDispatcher();
let server: UpstreamServer;
let vendor: OpenConnection;

beforeAll(async () => {
  server = await startUpstreamServer((res) => res.end());
  const tokens = new MockAgent();
  tokens
    .get('https://oauth2.googleapis.com')
    .intercept({ method: 'POST', path: '/token' })
    .reply(200, { access_token: 't-1', expires_in: 3_600 })
    .persist();
  setGlobalDispatcher(tokens);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const secret = JSON.stringify({
    type: 'service_account',
    client_email: 'a@b.example',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  });
  const preset = { preset: 'vertex-gemini', auth: { type: 'google', project: 'acme', location: 'eu' } } as const;
  vendor = openTestConnection({ ...preset, base_url: server.baseUrl, keys: [{ secret }] });
});
afterEach(() => {
  server.requests.length = 0;
});
afterAll(async () => {
  setGlobalDispatcher(usual);
  await vendor.models.close();
  await server.stop();
});

/** Returns the vectors and the usage of an answer to texts. */
async function embed(upstreamModel: string, input: string[], more: object = {}) {
  const hints = input.map((title) => ({ taskType: 'CLUSTERING', title }));
  const { body, usage } = await vendor.media!.embed({
    ...{ requestId: 'r', accountId: 'a', holdId: 'h', upstreamModel, modelName: 'mine', meteredIn: 'tokens' },
    ...{ signal: new AbortController().signal, hints, body: { input, ...more } },
  });
  const { data } = JSON.parse(Buffer.from(body).toString()) as { data: { embedding: number[] }[] };
  return { vectors: data.map(({ embedding }) => embedding), usage };
}

/** Answers each request with what `toBody` returns for its texts. */
function answer(toBody: (body: Record<string, unknown>) => object): void {
  server.handler = (res, { body }) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify(toBody(body)));
  };
}

interface Instance {
  content: string;
}

const predict = (body: Record<string, unknown>) => ({
  predictions: (body.instances as Instance[]).map(({ content }) => ({
    embeddings: { values: [Number(content)], statistics: { token_count: 3 } },
  })),
});

describe('embeddings of Vertex AI', () => {
  it('asks a model of embeddings for all texts at once', async () => {
    answer(predict);
    const { vectors, usage } = await embed('text-embedding-005', ['1', '2'], { dimensions: 8 });
    expect([vectors, usage]).toMatchObject([[[1], [2]], { inputUnits: 6, isEstimated: false }]);
    expect(server.requests).toMatchObject([
      {
        path: '/v1/models/text-embedding-005:predict',
        headers: { authorization: 'Bearer t-1' },
        body: {
          instances: [
            { content: '1', task_type: 'CLUSTERING', title: '1' },
            { content: '2', task_type: 'CLUSTERING', title: '2' },
          ],
          parameters: { outputDimensionality: 8 },
        },
      },
    ]);
  });

  it("asks Gemini's first model for one text at once, in their order", async () => {
    answer(predict);
    const { vectors, usage } = await embed('gemini-embedding-001', ['1', '2', '3', '4', '5']);
    expect([vectors, usage.inputUnits]).toEqual([[[1], [2], [3], [4], [5]], 15]);
    expect(server.requests.map(({ path }) => path)).toEqual(Array(5).fill('/v1/models/gemini-embedding-001:predict'));
    expect(server.requests[4]!.body).toEqual({ instances: [{ content: '5', task_type: 'CLUSTERING', title: '5' }] });
  });

  it('asks newer models of Gemini by their content', async () => {
    answer(() => ({ embedding: { values: [7] }, usageMetadata: { promptTokenCount: 2 } }));
    const { vectors, usage } = await embed('gemini-embedding-2', ['a', 'b'], { dimensions: 1 });
    expect([vectors, usage]).toMatchObject([[[7], [7]], { inputUnits: 4, isEstimated: false }]);
    expect(server.requests[0]).toMatchObject({
      path: '/v1/models/gemini-embedding-2:embedContent',
      body: {
        content: { parts: [{ text: 'a' }] },
        embedContentConfig: { taskType: 'CLUSTERING', title: 'a', outputDimensionality: 1 },
      },
    });
  });

  it('estimates usage that is not counted for each text', async () => {
    let asked = 0;
    answer(() => ({ embedding: { values: [7] }, ...(asked++ === 0 && { usageMetadata: { promptTokenCount: 2 } }) }));
    expect((await embed('gemini-embedding-2', ['four', 'more'])).usage).toMatchObject({
      inputUnits: 2,
      isEstimated: true,
    });
  });

  it.each([
    ['fewer vectors', () => ({ predictions: [] })],
    ['no vectors', () => ({})],
  ])('rejects an answer with %s than texts', async (_, toBody) => {
    answer(toBody);
    await expect(embed('text-embedding-005', ['1'])).rejects.toMatchObject({ kind: 'invalid_response' });
  });
});
