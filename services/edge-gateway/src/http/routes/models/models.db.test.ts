import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { modelSchema } from '@tollgate/api';
import { loadCatalog, toPublicModel } from '@tollgate/catalog';
import { InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { modelRoutes } from './index.js';

const models = loadCatalog({ sandbox: true }).list().map(toPublicModel);
let asked: object[] = [];
let test: RouteTest;

beforeAll(async () => {
  const inference = peer(InferenceService, {
    listModels: ({ provider, capability }) => {
      asked.push({ provider, capability });
      return { modelsJson: Buffer.from(JSON.stringify(models)) };
    },
  });
  test = await startRouteTest('models', modelRoutes, [inference]);
});

afterAll(() => test.stop());

function get(path: string) {
  return request(test.app).get(path).set('Authorization', `Bearer ${test.tenant.secretKey}`);
}

describe('GET /models', () => {
  it('needs no credentials and gives records of the documented shape', async () => {
    asked = [];
    const res = await request(test.app).get('/api/v1/models?provider=sandbox&capability=text');
    expect(res.status).toBe(200);
    expect(asked).toEqual([{ provider: 'sandbox', capability: 'text' }]);
    expect(res.body.models).toHaveLength(models.length);
    for (const model of res.body.models) expect(modelSchema.strict().safeParse(model).error).toBeUndefined();
  });

  it('an unknown capability: 400', async () => {
    await request(test.app).get('/api/v1/models?capability=telepathy').expect(400);
  });
});

describe('GET /v1/models', () => {
  it("is OpenAI's list", async () => {
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

  it("is Anthropic's list when its version is sent", async () => {
    const res = await get('/v1/models').set('anthropic-version', '2023-06-01').expect(200);
    expect(res.body).toMatchObject({
      has_more: false,
      first_id: models[0]?.model_id,
      last_id: models.at(-1)?.model_id,
    });
    expect(res.body.data[0]).toMatchObject({ type: 'model', id: models[0]?.model_id, created_at: expect.any(String) });
  });

  it('needs a credential, and none that is public: 401, 403', async () => {
    await request(test.app).get('/v1/models').expect(401);
    const res = await request(test.app).get('/v1/models').set('Authorization', `Bearer ${test.tenant.publishableKey}`);
    expect([res.status, res.body.error.type]).toEqual([403, 'permission_error']);
  });
});

describe('GET /v1/models/{id}', () => {
  it.each(['/v1/models/sandbox%2Fecho-1', '/v1/models/sandbox/echo-1'])('%s', async (path) => {
    const res = await get(path).expect(200);
    expect(res.body).toMatchObject({ id: 'sandbox/echo-1', object: 'model' });
  });

  it('an unknown one: 404 model_not_found', async () => {
    const res = await get('/v1/models/nope').expect(404);
    expect(res.body.error).toMatchObject({ code: 'model_not_found', param: 'model' });
  });
});
