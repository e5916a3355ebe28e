// Moderation with OpenAI's unmodified client library; its costs are compared with the ledger.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type OpenAI from 'openai';
import { openAiClient } from '../system/library-clients.js';
import { type ScriptedOpenAi, startScriptedOpenAi } from '../system/scripted-openai.js';
import { must, type System, startSystem, type TestCustomer, type TestProject } from '../system/start-system.js';
import { START_MS } from '../system/use-system.js';

const SANDBOX = 'sandbox/moderation-1';
const OMNI = 'omni-moderation-latest';
/** Price of the tier per million characters. */
const CENTS_PER_MILLION = 20_000;
const RESULT = { flagged: true, categories: { violence: true }, category_scores: { violence: 0.9 } };

let vendor: ScriptedOpenAi;
let system: System;
let project: TestProject;
let customer: TestCustomer;
let client: OpenAI;

beforeAll(async () => {
  vendor = await startScriptedOpenAi();
  system = await startSystem({ mode: 'one process', env: { OPENAI_BASE_URL: vendor.baseUrl } });
}, START_MS);

afterAll(async () => {
  await system?.stop();
  await vendor?.stop();
});

beforeEach(async () => {
  project = await system.project();
  customer = await buyer(1_000);
  client = openAiClient(system, customer.token);
  vendor.answer(({ body }) => ({ json: { id: 'modr-1', model: `${body.model}-2030`, results: [RESULT] } }));
});

function buyer(spendLimitCents: number): Promise<TestCustomer> {
  const models = [SANDBOX, OMNI].map((model_id, i) => ({
    model_id,
    is_default: i === 0,
    input_price_per_million_cents: CENTS_PER_MILLION,
    output_price_per_million_cents: 0,
  }));
  return project.customerOn('free', { spendLimitCents, tier: { models } });
}

/** Characters that the customer has been charged for. */
async function charged(): Promise<number> {
  const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
  return usage.total_cost_microcents / CENTS_PER_MILLION;
}

describe('client.moderations', () => {
  it('returns a result per text in the sandbox, and charges the characters', async () => {
    const input = ['Grüße 👋', 'flag as violence'];
    const { results, model } = await client.moderations.create({ model: SANDBOX, input });
    expect(model).toBe(SANDBOX);
    expect(results.map(({ flagged, categories }) => [flagged, categories.violence, categories.hate])).toEqual([
      [false, false, false],
      [true, true, false],
    ]);
    expect(await charged()).toBe(7 + 16);
  });

  it("asks the vendor's default model, with texts and images, and returns its answer", async () => {
    const image = { type: 'image_url' as const, image_url: { url: 'https://example.com/a.png' } };
    const input = [{ type: 'text' as const, text: 'see' }, image];
    const moderation = await client.moderations.create({ input });
    expect(moderation).toMatchObject({ id: 'modr-1', model: OMNI, results: [RESULT] });
    expect(vendor.calls).toEqual([{ path: '/moderations', body: { model: OMNI, input } }]);
    expect(await charged()).toBe(3);
  });

  it('charges nothing at the catalog price', async () => {
    await openAiClient(system, project.secretKey).moderations.create({ input: 'hello' });
    const { usage } = must(await project.owner.get('/account/usage'), 200);
    expect(usage.total_cost_microcents ?? 0).toBe(0);
  });

  it('charges nothing for a failure, and refuses what the funds do not cover', async () => {
    vendor.answer(() => ({ status: 400, json: { error: { message: 'bad image', code: 'image_url_unavailable' } } }));
    await expect(client.moderations.create({ input: 'x' })).rejects.toMatchObject({ status: 400 });
    expect(await charged()).toBe(0);
    vendor.calls.length = 0;
    // A cent covers 50 characters.
    const poor = openAiClient(system, (await buyer(1)).token);
    await expect(poor.moderations.create({ input: 'x'.repeat(51) })).rejects.toMatchObject({ status: 402 });
    expect(vendor.calls).toEqual([]);
    expect(await project.verify()).toMatchObject({ differences: [], open_holds: 0, unreconciled_microcents: 0 });
  });

  it('refuses a model that answers', async () => {
    const asked = openAiClient(system, project.secretKey).moderations.create({ model: 'sandbox/echo-1', input: 'x' });
    await expect(asked).rejects.toMatchObject({ status: 400 });
    expect(await project.verify()).toMatchObject({ differences: [], open_holds: 0 });
  });

  it.each([
    ["a model outside the customer's tier", { model: 'sandbox/echo-1', input: 'x' }, 403],
    ['an unknown model', { model: 'nope/x', input: 'x' }, 404],
    ['nothing', { model: SANDBOX, input: [] }, 400],
    ['a file by another URL', { input: [{ type: 'image_url', image_url: { url: 'file:///etc/passwd' } }] }, 400],
  ])('refuses %s', async (_what, asked, status) => {
    await expect(client.moderations.create(asked as OpenAI.ModerationCreateParams)).rejects.toMatchObject({ status });
  });
});
