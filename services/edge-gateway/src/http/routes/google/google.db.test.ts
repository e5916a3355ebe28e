import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadCatalog, toPublicModel } from '@tollgate/catalog';
import { type AdmitRequest, BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import {
  CompatService,
  type CountTokensRequest,
  type CreateEmbeddingsRequest,
} from '@tollgate/contracts/inference/v1/compat_pb.js';
import { Dialect, InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { googleRouter } from './index.js';

const models = loadCatalog({ sandbox: true }).list().map(toPublicModel);
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];

let admits: AdmitRequest[];
let counted: CountTokensRequest[];
let embedded: CreateEmbeddingsRequest[];
let refusedCode: string | undefined;
let harness: RouteTest;

beforeAll(async () => {
  const billing = peer(BillingService, {
    getTier: () => ({ tier: { models: [{ modelId: 'sandbox/echo-1' }] } }),
    admit: (req) => {
      admits.push(req);
      if (refusedCode) return { decision: { case: 'refused', value: { code: refusedCode, message: 'no' } } };
      return { decision: { case: 'admitted', value: { modelId: req.model } } };
    },
  });
  const inference = peer(InferenceService, {
    listModels: () => ({ modelsJson: Buffer.from(JSON.stringify(models)) }),
  });
  const compat = peer(CompatService, {
    countTokens: (req) => {
      counted.push(req);
      return { inputTokens: 7n };
    },
    createEmbeddings: (req) => {
      embedded.push(req);
      const { input } = JSON.parse(Buffer.from(req.body).toString()) as { input: string[] };
      const data = input.map((_text, index) => ({ index, embedding: [index, 0.5] })).reverse();
      const body = Buffer.from(JSON.stringify({ data, usage: { prompt_tokens: 5 } }));
      return { contentType: 'application/json', body };
    },
  });
  harness = await startRouteTest('google', [googleRouter], [billing, inference, compat]);
});

afterAll(() => harness.stop());

beforeEach(() => {
  admits = [];
  counted = [];
  embedded = [];
  refusedCode = undefined;
});

function get(path: string, credential = harness.tenant.secretKey) {
  return request(harness.app).get(path).set('x-goog-api-key', credential);
}

function post(path: string) {
  return request(harness.app).post(path).set('x-goog-api-key', harness.tenant.secretKey);
}

describe('GET /v1beta/models', () => {
  const names = ({ body }: { body: { models: { name: string }[] } }) => body.models.map(({ name }) => name);

  it('lists the models that answer a method of the dialect, page by page', async () => {
    const whole = await get('/v1beta/models?pageSize=1000').expect(200);
    expect(whole.body.nextPageToken).toBeUndefined();
    expect(names(whole)).toContain('models/sandbox/embed-1');
    expect(names(whole)).not.toContain('models/sandbox/image-1');
    const first = await get('/v1beta/models?pageSize=2').expect(200);
    const next = await get(`/v1beta/models?pageSize=2&pageToken=${encodeURIComponent(first.body.nextPageToken)}`);
    expect([...names(first), ...names(next)]).toEqual(names(whole).slice(0, 4));
  });

  it('answers under /v1 to a client of the vendor', async () => {
    expect(names(await get('/v1/models').expect(200))).toContain('models/sandbox/echo-1');
    expect((await get('/v1/models/sandbox/echo-1').expect(200)).body.name).toBe('models/sandbox/echo-1');
  });

  it("lists for a customer's token only the models of its tier", async () => {
    expect(names(await get('/v1beta/models', harness.tenant.customerToken).expect(200))).toEqual([
      'models/sandbox/echo-1',
    ]);
  });

  it('rejects a token that is not from an earlier page, and a size that is no number', async () => {
    const { body } = await get('/v1beta/models?pageToken=nope').expect(400);
    expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT', message: 'pageToken is not from an earlier page' });
    await get('/v1beta/models?pageSize=x').expect(400);
  });

  it('refuses a key in the URL', async () => {
    const { body } = await request(harness.app).get(`/v1beta/models?key=${harness.tenant.secretKey}`).expect(401);
    expect(body.error.message).toContain('x-goog-api-key');
  });
});

describe('GET /v1beta/models/{model}', () => {
  it.each(['sandbox/echo-1', 'sandbox%2Fecho-1', 'echo-1'])('returns the model %s', async (id) => {
    const { body } = await get(`/v1beta/models/${id}`).expect(200);
    expect(body).toMatchObject({
      name: 'models/sandbox/echo-1',
      inputTokenLimit: 128_000,
      supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
    });
  });

  it.each(['nope', 'sandbox/image-1'])('answers 404 for %s in the form of the dialect', async (id) => {
    const { body } = await get(`/v1beta/models/${id}`).expect(404);
    expect(body.error).toMatchObject({ code: 404, status: 'NOT_FOUND' });
  });
});

describe('POST /v1beta/models/{model}:countTokens', () => {
  const PATH = '/v1beta/models/sandbox/echo-1:countTokens';

  it.each([[{ contents }], [{ generateContentRequest: { model: 'models/x', contents, tools: [] } }]])(
    'counts %j free of charge',
    async (body) => {
      const res = await post(PATH).send(body).expect(200);
      expect(res.body).toEqual({ totalTokens: 7 });
      expect(counted).toMatchObject([{ dialect: Dialect.GOOGLE_GENERATE, model: 'sandbox/echo-1' }]);
      expect(JSON.parse(Buffer.from(counted[0]!.body).toString())).toMatchObject({ contents });
      expect(admits).toEqual([]);
    },
  );

  it('rejects a body with neither or both', async () => {
    await post(PATH).send({}).expect(400);
    await post(PATH).send({ contents, generateContentRequest: { contents } }).expect(400);
  });
});

describe('embeddings', () => {
  const embed = (text: string, more: object = {}) => ({ content: { parts: [{ text }] }, ...more });
  const ONE = '/v1beta/models/sandbox/embed-1:embedContent';
  const MANY = '/v1beta/models/sandbox/embed-1:batchEmbedContents';

  it('embeds one text', async () => {
    const { body } = await post(ONE).send(embed('12345678')).expect(200);
    expect(body).toEqual({ embedding: { values: [0, 0.5] }, usageMetadata: { promptTokenCount: 5 } });
    expect(admits).toMatchObject([{ model: 'sandbox/embed-1', inputTokensEstimate: 6n }]);
    expect(JSON.parse(Buffer.from(embedded[0]!.body).toString())).toEqual({
      model: 'sandbox/embed-1',
      input: ['12345678'],
      encoding_format: 'float',
    });
  });

  it('embeds several texts in their order, in the size that they ask for', async () => {
    const requests = ['a', 'b'].map((text) => embed(text, { model: 'models/x', outputDimensionality: 64 }));
    const { body } = await post(MANY).send({ requests }).expect(200);
    expect(body.embeddings).toEqual([{ values: [0, 0.5] }, { values: [1, 0.5] }]);
    expect(JSON.parse(Buffer.from(embedded[0]!.body).toString())).toMatchObject({ dimensions: 64, input: ['a', 'b'] });
  });

  it.each([[{ outputDimensionality: 3 }, 'outputDimensionality must be the same in all requests']])(
    'rejects %j before admission',
    async (more, message) => {
      const { body } = await post(MANY)
        .send({ requests: [embed('a'), embed('b', more)] })
        .expect(400);
      expect(body.error.message).toBe(message);
      expect(admits).toEqual([]);
    },
  );

  it('passes hints on to a model that takes them', async () => {
    const { headers } = await post('/v1beta/models/gemini-embedding-001:batchEmbedContents')
      .send({ requests: [embed('a', { taskType: 'RETRIEVAL_DOCUMENT', title: 'x' }), embed('b')] })
      .expect(200);
    expect(headers).not.toHaveProperty('x-service-dropped-parameters');
    expect(embedded[0]!.hints).toMatchObject([
      { taskType: 'RETRIEVAL_DOCUMENT', title: 'x' },
      { taskType: '', title: '' },
    ]);
  });

  it('leaves out hints for other models, and names them', async () => {
    const hints = { taskType: 'RETRIEVAL_QUERY', title: 'x' };
    const one = await post(ONE).send(embed('a', hints)).expect(200);
    expect(one.headers['x-service-dropped-parameters']).toBe('taskType, title');
    const many = await post(MANY)
      .send({ requests: [embed('a'), embed('b', { title: 'x' })] })
      .expect(200);
    expect(many.headers['x-service-dropped-parameters']).toBe('title');
    const none = await post(ONE)
      .send(embed('a', { taskType: 'TASK_TYPE_UNSPECIFIED' }))
      .expect(200);
    expect(none.headers).not.toHaveProperty('x-service-dropped-parameters');
  });

  it('refuses what the ledger refuses, with our code', async () => {
    refusedCode = 'WALLET_EMPTY';
    const { body } = await post(ONE).send(embed('a')).expect(402);
    expect(body.error).toMatchObject({ code: 402, details: [{ reason: 'WALLET_EMPTY' }] });
  });
});
