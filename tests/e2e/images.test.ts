// Images as an app uses them: generated, fetched by URL, pinned, charged per image.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { must, type System, startSystem } from '../system/start-system.js';
import { START_MS } from '../system/use-system.js';

const MODEL = 'sandbox/image-1';
const PNG = [0x89, 0x50, 0x4e, 0x47];

describe('images', () => {
  let system: System;
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tollgate-images-'));
    system = await startSystem({ mode: 'one process', env: { IMAGE_STORAGE_DIR: directory } });
  }, START_MS);
  afterAll(async () => {
    await system?.stop();
    await rm(directory, { recursive: true });
  });

  it("returns images under their URLs, keeps pinned ones and charges the tier's price for each", async () => {
    const project = await system.project();
    const models = [{ model_id: MODEL, is_default: true, price_per_image_cents: 7 }];
    const { api } = await project.customerOn('free', { tier: { models } });
    const made = must(await api.post('/images/generate', { prompt: 'a tollgate', n: 2 }), 200);
    expect(made).toMatchObject({ model: MODEL, usage: { images: 2 } });
    for (const { url } of made.data) {
      const file = await fetch(url);
      expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect([...new Uint8Array(await file.arrayBuffer()).subarray(0, 4)]).toEqual(PNG);
    }
    expect(must(await api.post(`/images/${made.id}/pin`, {}), 200)).toMatchObject({ pinned: true });
    expect(must(await project.api.get(`/images/${made.id}`), 200)).not.toHaveProperty('expires_at');
    const bytes = must(await api.post('/images/generate', { prompt: 'x', response_format: 'b64_json' }), 200);
    expect([...Buffer.from(bytes.data[0].b64_json, 'base64').subarray(0, 4)]).toEqual(PNG);
    const { usage } = must(await api.get('/customers/me/usage'), 200);
    expect(usage).toMatchObject({ requests: 2, total_cost_microcents: 3 * 7_000_000 });
    expect(must(await project.owner.get('/account/ledger/verify'), 200)).toMatchObject({
      differences: [],
      open_holds: 0,
      unreconciled_microcents: 0,
    });
  });

  it('hides images from other customers and projects, and refuses one beyond the allowance', async () => {
    const project = await system.project();
    const models = [{ model_id: MODEL, is_default: true, price_per_image_cents: 7 }];
    const poor = await project.customerOn('free', { tier: { models, spend_limit_cents: 13 } });
    const { id } = must(await poor.api.post('/images/generate', { prompt: 'one' }), 200);
    expect(must(await poor.api.post('/images/generate', { prompt: 'two' }), 402).code).toBe('TIER_ALLOWANCE_EXHAUSTED');
    const other = await project.customerOn('free', { tier: { models } });
    const stranger = await system.project();
    for (const api of [other.api, stranger.api]) {
      expect((await api.get(`/images/${id}`)).status).toBe(404);
      expect((await api.post(`/images/${id}/pin`, {})).status).toBe(404);
    }
  });
});
