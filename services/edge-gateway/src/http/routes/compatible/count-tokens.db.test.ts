// Counting tokens in either dialect.
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { CompatService, type CountTokensRequest } from '@tollgate/contracts/inference/v1/compat_pb.js';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { compatibleRouter } from './index.js';

let asked: CountTokensRequest[];
let failure: AppError | undefined;
let harness: RouteTest;

beforeAll(async () => {
  const billing = peer(BillingService, {
    getTier: () => ({ tier: { models: [{ modelId: 'sandbox/echo-1', isDefault: true }] } }),
  });
  const compat = peer(CompatService, {
    countTokens: (req) => {
      asked.push(req);
      if (failure) throw failure;
      return { inputTokens: 7n };
    },
  });
  harness = await startRouteTest('count_tokens', [compatibleRouter], [billing, compat]);
});

afterAll(() => harness.stop());

beforeEach(() => {
  asked = [];
  failure = undefined;
});

function post(path: string, credential = harness.tenant.secretKey) {
  return request(harness.app).post(path).set('Authorization', `Bearer ${credential}`);
}

const messages = { model: 'sandbox/echo-1', messages: [{ role: 'user', content: 'hi' }] };

it('counts the tokens of messages with either key header, in the vendor format and free of charge', async () => {
  const res = await request(harness.app)
    .post('/v1/messages/count_tokens')
    .set('x-api-key', harness.tenant.secretKey)
    .send(messages)
    .expect(200);
  expect(res.body).toEqual({ input_tokens: 7 });
  expect(asked).toMatchObject([{ dialect: Dialect.ANTHROPIC_MESSAGES, model: 'sandbox/echo-1' }]);
});

it('counts the tokens of responses', async () => {
  const res = await post('/v1/responses/input_tokens').send({ model: 'sandbox/echo-1', input: 'hi' }).expect(200);
  expect(res.body).toEqual({ object: 'response.input_tokens', input_tokens: 7 });
  expect(asked).toMatchObject([{ dialect: Dialect.OPENAI_RESPONSES }]);
});

it("counts with the tier's default model when none is named, and requires a model otherwise", async () => {
  const { model: _, ...rest } = messages;
  await post('/v1/messages/count_tokens', harness.tenant.customerToken).send(rest).expect(200);
  expect(asked).toMatchObject([{ model: 'sandbox/echo-1' }]);
  const res = await post('/v1/messages/count_tokens').send(rest).expect(400);
  expect(res.body).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
});

it('answers 404 for an unknown model in the vendor format', async () => {
  failure = new AppError('NOT_FOUND', 'the model nope does not exist');
  const res = await post('/v1/messages/count_tokens')
    .send({ ...messages, model: 'nope' })
    .expect(404);
  expect(res.body).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
  expect(res.body.request_id).toBe(res.headers['request-id']);
});

it('rejects invalid bodies and credentials', async () => {
  const tools = [{ type: 'code_execution_20250825', name: 'code_execution' }];
  const res = await post('/v1/messages/count_tokens')
    .send({ ...messages, tools })
    .expect(400);
  expect(res.body.error.message).toContain('containers are not supported');
});
