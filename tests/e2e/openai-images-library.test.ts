// Images with OpenAI's unmodified client library, from the sandbox and from a server that speaks OpenAI's dialect; their
// costs are compared with the ledger.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type OpenAI from 'openai';
import { toFile } from 'openai';
import { openAiClient } from '../system/library-clients.js';
import { type ScriptedOpenAi, startScriptedOpenAi } from '../system/scripted-openai.js';
import { must, type System, startSystem, type TestCustomer, type TestProject } from '../system/start-system.js';
import { START_MS } from '../system/use-system.js';

const SANDBOX = 'sandbox/image-1';
const GPT_IMAGE = 'gpt-image-2.5-flare';
const XAI_IMAGE = 'grok-imagine-image';
const IMAGE_CENTS = 7;
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const USAGE = {
  input_tokens: 40,
  output_tokens: 4_160,
  total_tokens: 4_200,
  input_tokens_details: { text_tokens: 12, image_tokens: 28 },
};

let vendor: ScriptedOpenAi;
let directory: string;
let system: System;
let project: TestProject;
let customer: TestCustomer;
let client: OpenAI;

beforeAll(async () => {
  vendor = await startScriptedOpenAi();
  directory = await mkdtemp(join(tmpdir(), 'tollgate-images-'));
  system = await startSystem({
    mode: 'one process',
    env: {
      IMAGE_STORAGE_DIR: directory,
      OPENAI_BASE_URL: vendor.baseUrl,
      XAI_BASE_URL: vendor.baseUrl,
    },
  });
}, START_MS);

afterAll(async () => {
  await system?.stop();
  await vendor?.stop();
  await rm(directory, { recursive: true });
});

beforeEach(async () => {
  project = await system.project();
  customer = await buyer(1_000);
  client = openAiClient(system, customer.token);
  vendor.answer(({ body }) => ({
    json: { created: 1, data: Array.from({ length: Number(body.n) }, () => ({ b64_json: PNG })), usage: USAGE },
  }));
});

function buyer(spendLimitCents: number): Promise<TestCustomer> {
  const models = [SANDBOX, GPT_IMAGE, XAI_IMAGE].map((model_id, i) => ({
    model_id,
    is_default: i === 0,
    price_per_image_cents: IMAGE_CENTS,
  }));
  return project.customerOn('free', { spendLimitCents, tier: { models } });
}

/** Images that the customer has been charged for. */
async function charged(): Promise<number> {
  const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
  return usage.total_cost_microcents / (IMAGE_CENTS * 1_000_000);
}

function png(name: string): Promise<File> {
  return toFile(Buffer.from(PNG, 'base64'), name, { type: 'image/png' });
}

describe('client.images.generate', () => {
  it.each([SANDBOX, GPT_IMAGE])('returns base64 from %s and charges each image', async (model) => {
    const made = await client.images.generate({ model, prompt: 'a tollgate', n: 2 });
    expect(made.data).toHaveLength(2);
    for (const { b64_json: base64 } of made.data!) expect(base64).toMatch(/^iVBORw0KGgo/);
    expect(made).toMatchObject({ created: expect.any(Number), output_format: 'png' });
    expect(await charged()).toBe(2);
  });

  it("returns the vendor's usage", async () => {
    const { usage } = await client.images.generate({ model: GPT_IMAGE, prompt: 'x', size: 'auto', quality: 'high' });
    expect(usage).toEqual(USAGE);
    expect(vendor.calls[0]).toMatchObject({ path: '/images/generations', body: { quality: 'high', n: 1 } });
  });

  it('returns URLs that can be fetched', async () => {
    const { data } = await client.images.generate({ model: SANDBOX, prompt: 'x', response_format: 'url' });
    const file = await fetch(data![0]!.url!);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  it('charges only the images that the vendor made', async () => {
    vendor.answer(() => ({ json: { created: 1, data: [{ b64_json: PNG }] } }));
    const made = await client.images.generate({ model: GPT_IMAGE, prompt: 'x', n: 3 });
    expect(made.data).toHaveLength(1);
    expect(await charged()).toBe(1);
  });

  it('refuses images beyond the allowance before the vendor is asked', async () => {
    const poor = openAiClient(system, (await buyer(2 * IMAGE_CENTS)).token);
    const asked = { model: GPT_IMAGE, prompt: 'x' };
    await expect(poor.images.generate({ ...asked, n: 3 })).rejects.toMatchObject({ status: 402 });
    expect(vendor.calls).toEqual([]);
    expect((await poor.images.generate({ ...asked, n: 2 })).data).toHaveLength(2);
  });

  it('charges nothing for a failure', async () => {
    vendor.answer(() => ({ status: 400, json: { error: { message: 'blocked', code: 'moderation_blocked' } } }));
    await expect(client.images.generate({ model: GPT_IMAGE, prompt: 'x' })).rejects.toMatchObject({
      status: 400,
      code: 'moderation_blocked',
    });
    expect(await charged()).toBe(0);
  });

  it('refuses settings without a price, or drops them with a warning where the project wants it', async () => {
    const asked = { model: GPT_IMAGE, prompt: 'x', quality: 'low', background: 'transparent' } as const;
    await expect(client.images.generate(asked)).rejects.toMatchObject({ status: 400, param: 'quality' });
    expect(vendor.calls).toEqual([]);
    must(await project.owner.put(`/projects/${project.id}`, { unsupported_parameters: 'drop' }), 200);
    const { response } = await client.images.generate(asked).withResponse();
    expect(response.headers.get('x-service-dropped-parameters')).toBe('quality, background');
    expect(vendor.calls[0]!.body).toMatchObject({ quality: 'high' });
    expect(vendor.calls[0]!.body).not.toHaveProperty('background');
  });

  it.each([
    ['an unknown model', { model: 'nope/x', prompt: 'x' }, 404],
    ['no prompt', { model: SANDBOX, prompt: '' }, 400],
    ['too many images', { model: SANDBOX, prompt: 'x', n: 11 }, 400],
    ['a stream', { model: SANDBOX, prompt: 'x', stream: true as const }, 400],
  ])('refuses %s', async (_what, asked, status) => {
    await expect(client.images.generate(asked)).rejects.toMatchObject({ status });
    expect(await charged()).toBe(0);
  });
});

describe('client.images.edit', () => {
  it('sends the image and its mask to the vendor, and charges each image', async () => {
    const [image, mask] = [await png('room.png'), await png('mask.png')];
    const made = await client.images.edit({ model: GPT_IMAGE, prompt: 'add a chair', image, mask, n: 2 });
    expect(made.data).toHaveLength(2);
    expect(made.usage).toEqual(USAGE);
    const [{ path, body }] = vendor.calls as [(typeof vendor.calls)[number]];
    expect(path).toBe('/images/edits');
    expect(body).toMatchObject({ model: expect.stringMatching(/^gpt-image/), prompt: 'add a chair', n: '2' });
    expect([body.image.name, body.mask.name]).toEqual(['room.png', 'mask.png']);
    expect(Buffer.from(await body.image.arrayBuffer()).toString('base64')).toBe(PNG);
    expect(await charged()).toBe(2);
  });

  it('sends several images in order', async () => {
    const image = [await png('one.png'), await png('two.png')];
    await client.images.edit({ model: GPT_IMAGE, prompt: 'join them', image });
    expect(vendor.calls[0]!.body['image[]'].map(({ name }: File) => name)).toEqual(['one.png', 'two.png']);
  });

  it('returns another result for another image in the sandbox', async () => {
    const other = await toFile(Buffer.from('other'), 'other.png', { type: 'image/png' });
    const edit = async (image: File) => (await client.images.edit({ model: SANDBOX, prompt: 'x', image })).data![0];
    const first = await edit(await png('a.png'));
    expect(await edit(await png('a.png'))).toEqual(first);
    expect(await edit(other)).not.toEqual(first);
    expect(await charged()).toBe(3);
  });

  it('refuses a form without an image, other files, and models that cannot edit; nothing is charged', async () => {
    const text = await toFile(Buffer.from('hello'), 'a.txt', { type: 'text/plain' });
    const image = await png('a.png');
    const many = Array.from({ length: 17 }, () => image);
    const refused = { status: 400, param: 'image' };
    await expect(client.images.edit({ model: SANDBOX, prompt: 'x', image: text })).rejects.toMatchObject(refused);
    await expect(client.images.edit({ model: SANDBOX, prompt: 'x', image: many })).rejects.toMatchObject(refused);
    await expect(client.images.edit({ model: XAI_IMAGE, prompt: 'x', image })).rejects.toMatchObject({ status: 400 });
    const body = new FormData();
    body.append('prompt', 'x');
    const headers = { authorization: `Bearer ${customer.token}` };
    const bare = await fetch(`${system.stack.httpUrl}/v1/images/edits`, { method: 'POST', headers, body });
    expect([bare.status, ((await bare.json()) as { error: { param: string } }).error.param]).toEqual([400, 'image']);
    expect(await charged()).toBe(0);
    expect(await project.verify()).toMatchObject({ differences: [], open_holds: 0, unreconciled_microcents: 0 });
  });
});
