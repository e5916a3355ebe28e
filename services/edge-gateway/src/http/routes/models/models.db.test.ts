import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { modelRoutesResponse, modelSchema } from '@tollgate/api/model-requests';
import { loadCatalog, toPublicModel } from '@tollgate/catalog';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { modelRouter } from './index.js';

const models = loadCatalog({ sandbox: true }).list().map(toPublicModel);
const at = timestampFromDate(new Date('2026-11-23T04:00:00.000Z'));
let asked: object[] = [];
let harness: RouteTest;

beforeAll(async () => {
  const inference = peer(InferenceService, {
    listModels: ({ provider, capability }) => {
      asked.push({ provider, capability });
      return { modelsJson: Buffer.from(JSON.stringify(models)) };
    },
    listRoutes: () => ({
      routes: [
        { modelId: 'm', provider: 'xai', upstreamModel: 'a', circuit: 'open', failures: 5, since: at, nextProbeAt: at },
        { modelId: 'm', provider: 'openai', upstreamModel: 'b', circuit: 'closed' },
      ],
    }),
  });
  const billing = peer(BillingService, {
    getTier: () => ({ tier: { models: [{ modelId: 'sandbox/echo-1' }] } }),
  });
  harness = await startRouteTest('models', [modelRouter], [inference, billing]);
});

afterAll(() => harness.stop());

function get(path: string) {
  return request(harness.app).get(path).set('Authorization', `Bearer ${harness.tenant.secretKey}`);
}

describe('GET /models', () => {
  it('requires no credentials and returns the documented records', async () => {
    asked = [];
    const res = await request(harness.app).get('/api/v1/models?provider=sandbox&capability=text');
    expect(res.status).toBe(200);
    expect(asked).toEqual([{ provider: 'sandbox', capability: 'text' }]);
    expect(res.body.models).toHaveLength(models.length);
    for (const model of res.body.models) expect(modelSchema.strict().safeParse(model).error).toBeUndefined();
  });

  it.each(['/api/v1/models', '/v1/models'])("lists at %s only the models of a customer's tier", async (path) => {
    const ask = (credential: string) => request(harness.app).get(path).set('Authorization', `Bearer ${credential}`);
    const readIds = ({ body }: { body: { models?: { model_id: string }[]; data?: { id: string }[] } }) =>
      body.models?.map(({ model_id: id }) => id) ?? body.data?.map(({ id }) => id);
    expect(readIds(await ask(harness.tenant.customerToken).expect(200))).toEqual(['sandbox/echo-1']);
    expect(readIds(await ask(harness.tenant.secretKey).expect(200))).toHaveLength(models.length);
  });

  it('lists all models for everyone else, even with an invalid credential', async () => {
    for (const credential of [harness.tenant.publishableKey, 'nonsense']) {
      const res = await request(harness.app)
        .get('/api/v1/models')
        .set('Authorization', `Bearer ${credential}`)
        .expect(200);
      expect(res.body.models).toHaveLength(models.length);
    }
  });

  it('answers 400 for an unknown capability', async () => {
    await request(harness.app).get('/api/v1/models?capability=telepathy').expect(400);
  });
});

describe('GET /projects/{id}/model-routes', () => {
  it('returns the routes with their circuits', async () => {
    const res = await get(`/api/v1/projects/${harness.tenant.projectId}/model-routes`).expect(200);
    const moment = '2026-11-23T04:00:00.000Z';
    const open = { model_id: 'm', provider: 'xai', upstream_model: 'a', circuit: 'open', failures: 5 };
    expect(modelRoutesResponse.parse(res.body).routes).toEqual([
      { ...open, since: moment, next_probe_at: moment },
      { model_id: 'm', provider: 'openai', upstream_model: 'b', circuit: 'closed', failures: 0 },
    ]);
  });

  it("answers 404 for another account's project, and 403 for a publishable key", async () => {
    await get(`/api/v1/projects/${harness.stranger.projectId}/model-routes`).expect(404);
    await request(harness.app)
      .get(`/api/v1/projects/${harness.tenant.projectId}/model-routes`)
      .set('Authorization', `Bearer ${harness.tenant.publishableKey}`)
      .expect(403);
  });
});

describe('GET /v1/models', () => {
  it("returns OpenAI's list", async () => {
    const res = await get('/v1/models').expect(200);
    expect(res.headers['x-request-id']).toBe(res.headers['x-service-request-id']);
    expect(res.body.object).toBe('list');
    expect(res.body.data).toContainEqual({
      id: 'sandbox/echo-1',
      object: 'model',
      created: expect.any(Number),
      owned_by: 'sandbox',
      context_length: 128_000,
      architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
      supported_parameters: expect.arrayContaining(['tools', 'response_format']),
    });
  });

  describe("is Anthropic's list when its version is sent", () => {
    const answering = models.filter(({ capabilities }) => capabilities.includes('text')).map(({ model_id: id }) => id);
    const page = async (query: string) => {
      const res = await get(`/v1/models?${query}`).set('anthropic-version', '2023-06-01').expect(200);
      const { data, has_more: more, first_id: first, last_id: last } = res.body;
      const ids = data.map(({ id }: { id: string }) => id);
      expect([first, last]).toEqual([ids[0] ?? null, ids.at(-1) ?? null]);
      return { ids, more, data };
    };

    it('lists the models that serve messages, 20 per page', async () => {
      const { ids, more, data } = await page('');
      expect(ids).toEqual(answering.slice(0, 20));
      expect(more).toBe(answering.length > 20);
      expect(data[0]).toMatchObject({
        type: 'model',
        created_at: expect.any(String),
        max_input_tokens: expect.any(Number),
        lifecycle: 'active',
      });
    });

    it.each([
      ['limit=3', 0, 3, true],
      ['limit=1000', 0, 1000, false],
      [`limit=2&after_id=${answering[1]}`, 2, 4, true],
      [`limit=5&after_id=${encodeURIComponent(answering.at(-1)!)}`, 1000, 1000, false],
      [`limit=2&before_id=${answering[5]}`, 3, 5, true],
      [`limit=5&before_id=${answering[2]}`, 0, 2, false],
      [`before_id=${answering[0]}`, 0, 0, false],
      [`limit=2&after_id=${answering[0]}&before_id=${answering[4]}`, 1, 3, true],
    ])('returns the requested page and has_more for %s', async (query, from, to, hasMore) => {
      const { ids, more } = await page(query);
      expect([ids, more]).toEqual([answering.slice(from, to), hasMore]);
    });

    it.each(['limit=0', 'limit=1001', 'limit=x', 'after_id=nope'])(
      "rejects %s in the vendor's error format",
      async (query) => {
        const res = await get(`/v1/models?${query}`).set('anthropic-version', '2023-06-01').expect(400);
        expect(res.body).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
      },
    );

    it("accepts the vendor's key header", async () => {
      const ask = () => request(harness.app).get('/v1/models').set('anthropic-version', '2023-06-01');
      await ask().set('x-api-key', harness.tenant.secretKey).expect(200);
      const res = await ask().set('x-api-key', 'bad').expect(401);
      expect(res.body).toMatchObject({ type: 'error', error: { type: 'authentication_error' } });
      expect(res.body.request_id).toBe(res.headers['request-id']);
    });
  });

  it('shows output other than text', async () => {
    const { data } = (await get('/v1/models')).body;
    const of = (id: string) => data.find((model: { id: string }) => model.id === id).architecture;
    expect(of('sandbox/embed-1')).toEqual({ input_modalities: ['text'], output_modalities: ['embeddings'] });
    expect(of('sandbox/speech-1')).toEqual({ input_modalities: ['text'], output_modalities: ['audio'] });
    expect(of('sandbox/transcribe-1')).toEqual({ input_modalities: ['audio'], output_modalities: ['text'] });
  });

  it('answers 401 without a credential and 403 for a publishable key', async () => {
    await request(harness.app).get('/v1/models').expect(401);
    const res = await request(harness.app)
      .get('/v1/models')
      .set('Authorization', `Bearer ${harness.tenant.publishableKey}`);
    expect([res.status, res.body.error.type]).toEqual([403, 'permission_error']);
  });
});

describe('GET /v1/models/{id}', () => {
  it.each(['/v1/models/sandbox%2Fecho-1', '/v1/models/sandbox/echo-1'])('returns the model at %s', async (path) => {
    const res = await get(path).expect(200);
    expect(res.body).toMatchObject({ id: 'sandbox/echo-1', object: 'model' });
  });

  it('finds a model by the id of its dated release', async () => {
    const res = await get('/v1/models/claude-haiku-4-5-20251001').expect(200);
    expect(res.body.id).toBe('claude-haiku-4-5');
  });

  it('answers 404 model_not_found for an unknown model', async () => {
    const res = await get('/v1/models/nope').expect(404);
    expect(res.body.error).toMatchObject({ code: 'model_not_found', param: 'model' });
  });
});
