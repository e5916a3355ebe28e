// SPEC "Billing admission refusals": code × audience on the wire, and how often the ledger is asked.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadCatalog } from '@tollgate/catalog';
import {
  type AdmitRequest,
  type AdmitResponseSchema,
  BillingService,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import { InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../testing/route-test.js';

type Decision = MessageInitShape<typeof AdmitResponseSchema>;

let folder: string;
let harness: RouteTest;
let admits: AdmitRequest[] = [];
let decide: (req: AdmitRequest) => Decision;

beforeAll(async () => {
  const billing = peer(BillingService, {
    admit: (req) => {
      admits.push(req);
      return decide(req);
    },
    getTier: () => ({ tier: {} }),
  });
  const inference = peer(InferenceService, {
    generate: async function* () {
      yield { data: new TextEncoder().encode('{}'), model: 'm', provider: 'openai' };
    },
  });
  folder = mkdtempSync(join(tmpdir(), 'tollgate-catalog-'));
  const file = join(folder, 'models.json');
  writeFileSync(file, JSON.stringify([{ model_id: 'gpt-4.1-mini', retired: { use: 'gpt-6-luna' } }]));
  harness = await startRouteTest('refusals', [], [billing, inference], {
    env: { RATE_LIMIT_CUSTOMER_PER_MINUTE: '1000', MODEL_CATALOG_FILE: file },
  });
});
afterAll(async () => {
  await harness.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  admits = [];
});

const refused = (code: string, mayFitCounted = false): Decision => ({
  decision: { case: 'refused', value: { code, message: 'internal words of the ledger', mayFitCounted } },
});

const input = (text: string) => [{ type: 'message', role: 'user', content: [{ type: 'text', text }] }];

const ways = {
  '/api/v1/responses': { model: 'sandbox/echo-1', input: input('hello') },
  '/v1/chat/completions': { model: 'sandbox/echo-1', messages: [{ role: 'user', content: 'hello' }] },
};

const OWN = 'a 402 that names the limit';
const NEUTRAL = 'a neutral 503';

/** Code, the answer to the owner's key, the answer to the customer. */
const table: [string, typeof OWN, typeof OWN | typeof NEUTRAL][] = [
  ['SUBSCRIPTION_INACTIVE', OWN, OWN],
  ['TIER_ALLOWANCE_EXHAUSTED', OWN, OWN],
  ['WALLET_EMPTY', OWN, OWN],
  ['PROVIDER_ACCOUNT_UNFUNDED', OWN, NEUTRAL],
  ['FREE_CREDIT_DAILY_CAP', OWN, NEUTRAL],
  ['ACCOUNT_QUOTA_EXCEEDED', OWN, NEUTRAL],
  ['API_KEY_SPEND_LIMIT_REACHED', OWN, NEUTRAL],
];
const cells = table.flatMap(([code, owner, customer]) =>
  Object.keys(ways).flatMap((path) => [
    { code, path, who: 'a project key', sees: owner },
    { code, path, who: 'a customer', sees: customer },
  ]),
);

describe('a retired model', () => {
  it.each([
    ['/api/v1/responses', 400, 'unknown model: gpt-4.1-mini (retired; use gpt-6-luna)'],
    ['/v1/chat/completions', 404, 'the model gpt-4.1-mini (retired; use gpt-6-luna) does not exist'],
  ])('answers on %s with %i and the model to use instead', async (path, status, message) => {
    decide = () => refused('INVALID_INPUT');
    const res = await request(harness.app)
      .post(path)
      .set('Authorization', `Bearer ${harness.tenant.secretKey}`)
      .send({ ...ways[path as keyof typeof ways], model: 'gpt-4.1-mini' })
      .expect(status);
    expect(res.body.error.message ?? res.body.message).toBe(message);
  });
});

describe('a refusal of the ledger', () => {
  it.each(cells)('answers $code with $sees to $who on $path', async ({ code, path, who, sees }) => {
    decide = () => refused(code);
    const token = who === 'a customer' ? harness.tenant.customerToken : harness.tenant.secretKey;
    const res = await request(harness.app)
      .post(path)
      .set('Authorization', `Bearer ${token}`)
      .send(ways[path as keyof typeof ways]);
    const body = path === '/api/v1/responses' ? res.body : res.body.error;
    if (sees === OWN) {
      expect([res.status, body.code]).toEqual([402, code]);
      expect(res.headers).not.toHaveProperty('retry-after');
    } else {
      expect([res.status, body.code, res.headers['retry-after']]).toEqual([503, 'SERVICE_UNAVAILABLE', '30']);
      expect(res.text).not.toContain(code);
      expect(res.text).toContain('temporarily unavailable');
    }
    if (path === '/api/v1/responses') expect(body.retryable).toBe(sees === NEUTRAL);
    expect(res.text).not.toContain('internal words');
    expect(admits).toHaveLength(1);
  });
});

describe('a model whose vocabulary is published', () => {
  const model = loadCatalog({ sandbox: false })
    .list()
    .find(({ tokenizer }) => tokenizer === 'o200k')?.model_id;
  const prose = 'The gatekeeper counts each carriage that passes. '.repeat(20);
  const ask = () =>
    request(harness.app)
      .post('/api/v1/responses')
      .set('Authorization', `Bearer ${harness.tenant.secretKey}`)
      .send({ model, input: input(prose) });
  const admitted: Decision = {
    decision: { case: 'admitted', value: { modelId: model ?? '', maxOutputTokens: 100, holdTtlMs: 30_000 } },
  };

  it('admits a turn by its upper bound, without counting, while funds are ample', async () => {
    decide = () => admitted;
    expect((await ask()).status).toBe(200);
    expect(admits).toMatchObject([{ estimateIsLoose: true }]);
  });

  it('asks for admission again with the exact count, under the same hold id, when that count may fit', async () => {
    decide = (req) => (req.estimateIsLoose ? refused('WALLET_EMPTY', true) : admitted);
    await ask();
    expect(admits.map((req) => req.estimateIsLoose)).toEqual([true, false]);
    expect(new Set(admits.map((req) => req.holdId)).size).toBe(1);
    expect(admits[1]?.inputTokensEstimate).toBeLessThan((admits[0]?.inputTokensEstimate ?? 0n) / 3n);
  });

  it('answers 402 after one admission request when an exact count cannot fit', async () => {
    decide = () => refused('WALLET_EMPTY', false);
    expect((await ask()).status).toBe(402);
    expect(admits).toHaveLength(1);
  });
});
