import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogError, type CatalogOptions, loadCatalog } from './load-catalog.js';
import { toConnectionId } from './model-record.js';
import { isPriced } from './prices.js';
import { toPublicModel } from './public-model.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-catalog-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const local = {
  model_id: 'qwen3-8b',
  provider: 'openai',
  capabilities: ['text', 'tool_use'],
  context_window: 32_768,
  max_output_tokens: 4_096,
  input_cost_per_million_cents: 0,
  output_cost_per_million_cents: 0,
};

function loadWith(content: unknown, options: Partial<CatalogOptions> = {}) {
  const overrideFile = join(folder, 'models.json');
  writeFileSync(overrideFile, typeof content === 'string' ? content : JSON.stringify(content));
  return loadCatalog({ sandbox: true, overrideFile, ...options });
}

describe('reviewed models', () => {
  const catalog = loadCatalog({ sandbox: true });

  it.each(['openai', 'anthropic', 'google-ai-studio', 'xai'])(
    'offers at least four models of %s, one of them for text',
    (provider) => {
      expect(catalog.list({ provider }).length).toBeGreaterThanOrEqual(4);
      expect(catalog.list({ provider, capability: 'text' }).length).toBeGreaterThanOrEqual(1);
    },
  );

  it.each(catalog.list().map((model) => [model.model_id, model] as const))(
    'has prices, one route and consistent fields for %s',
    (_, model) => {
      expect(isPriced(model)).toBe(true);
      expect(model.routes).toEqual([{ provider: model.provider, upstream_model: model.routes[0]?.upstream_model }]);
      expect(model.deprecated).toBe(model.deprecation_message !== undefined);
      const input = model.input_cost_per_million_cents ?? 0;
      expect(model.cache_read_cost_per_million_cents ?? 0).toBeLessThanOrEqual(input);
      if (model.capabilities.includes('text')) expect(model.max_output_tokens).toBeGreaterThan(0);
      for (const name of [model.model_id, `${model.provider}/${model.model_id.replace('sandbox/', '')}`]) {
        expect(catalog.find(name)).toBe(model);
      }
    },
  );

  it.each([
    ['claude-haiku-4-5-20251001', 'claude-haiku-4-5'],
    ['anthropic/claude-haiku-4-5-20251001', 'claude-haiku-4-5'],
    ['gpt-4.1-mini-2025-04-14', 'gpt-4.1-mini'],
  ])('finds %s as %s', (alias, id) => {
    expect(catalog.find(alias)).toBe(catalog.find(id));
    expect(catalog.find(id)?.model_id).toBe(id);
    expect(toPublicModel(catalog.find(id)!)).not.toHaveProperty('aliases');
  });

  it('throws when a reader changes a model', () => {
    const model = catalog.find('sandbox/echo-1');
    expect(() => Object.assign(model ?? {}, { input_cost_per_million_cents: 0 })).toThrow(TypeError);
  });
});

describe('sandbox models', () => {
  it('offers sandbox models with non-zero prices when the sandbox is on', () => {
    const catalog = loadCatalog({ sandbox: true });
    expect(catalog.find('sandbox/echo-1')).toMatchObject({
      input_cost_per_million_cents: 100,
      output_cost_per_million_cents: 300,
      routes: [{ provider: 'sandbox', upstream_model: 'echo-1' }],
    });
    expect(catalog.find('sandbox/image-1')?.price_per_image_cents).toBe(4);
  });

  it('omits the sandbox models and all routes to the sandbox when it is off', () => {
    const catalog = loadWith(
      [
        { ...local, model_id: 'only-sandbox', routes: [{ provider: 'sandbox', upstream_model: 'echo-1' }] },
        {
          ...local,
          routes: [
            { provider: 'sandbox', upstream_model: 'echo-1' },
            { provider: 'openai', upstream_model: 'qwen' },
          ],
        },
      ],
      { sandbox: false },
    );
    expect(catalog.list({ provider: 'sandbox' })).toEqual([]);
    expect(catalog.find('sandbox/echo-1')).toBeUndefined();
    expect(catalog.find('echo-1')).toBeUndefined();
    expect(catalog.find('only-sandbox')).toBeUndefined();
    expect(catalog.find('qwen3-8b')?.routes).toEqual([{ provider: 'openai', upstream_model: 'qwen' }]);
  });
});

describe('MODEL_CATALOG_FILE', () => {
  it('adds a model with its route and names by default', () => {
    const model = loadWith({ models: [local] }).find('openai/qwen3-8b');
    expect(model).toMatchObject({
      display_name: 'qwen3-8b',
      routes: [{ provider: 'openai', upstream_model: 'qwen3-8b' }],
      tokenizer: 'bytes',
      deprecated: false,
    });
  });

  it('expects a chat template of 64 tokens of models that it adds, and none of the reviewed ones', () => {
    const overhead = (entry: object, options = {}) =>
      loadWith([{ ...local, ...entry }], options).find('qwen3-8b')?.prompt_overhead_tokens;
    expect(overhead({})).toBe(64);
    expect(overhead({ prompt_overhead_tokens: 200 })).toBe(200);
    expect(overhead({ provider: 'sandbox' })).toBe(0);
    const options = { promptOverheadTokens: 30 };
    expect(overhead({}, options)).toBe(30);
    expect(overhead({ prompt_overhead_tokens: 0 }, options)).toBe(0);
    const reviewed = [{ model_id: 'gpt-6-luna', input_cost_per_million_cents: 1 }];
    expect(loadWith(reviewed).find('gpt-6-luna')?.prompt_overhead_tokens).toBe(0);
    expect(loadWith(reviewed, options).find('gpt-6-luna')?.prompt_overhead_tokens).toBe(30);
    expect(loadWith(reviewed, options).find('sandbox/echo-1')?.prompt_overhead_tokens).toBe(0);
  });

  it('takes a route to a connection, by default of the provider of the model', () => {
    const routes = [
      { connection: 'azure-eu', upstream_model: 'ours', weight: 3 },
      { connection: 'relay', provider: 'custom', upstream_model: 'qwen' },
      { provider: 'xai', upstream_model: 'x' },
    ];
    const model = loadWith({ models: [{ ...local, routes }] }).find('qwen3-8b')!;
    expect(model.routes).toEqual([{ ...routes[0], provider: 'openai' }, ...routes.slice(1)]);
    expect(model.routes.map(toConnectionId)).toEqual(['azure-eu', 'relay', 'xai']);
    expect(() => loadWith([{ ...local, routes: [{ connection: 'A b', upstream_model: 'x' }] }])).toThrow(
      /routes\.0\.connection/,
    );
  });

  it('gives a model further ids, which no other model may have', () => {
    const dated = { ...local, aliases: ['qwen3-8b-20260101'] };
    expect(loadWith({ models: [dated] }).find('openai/qwen3-8b-20260101')?.model_id).toBe('qwen3-8b');
    const other = { ...local, model_id: 'qwen3-8b-20260101' };
    expect(() => loadWith({ models: [dated, other] })).toThrow(/qwen3-8b and qwen3-8b-20260101 are both/);
  });

  it('overrides the given fields of a known model and keeps the rest', () => {
    const original = loadCatalog({ sandbox: true }).find('gpt-6-luna');
    const changed = loadWith([
      { model_id: 'gpt-6-luna', input_cost_per_million_cents: 99, cache_read_cost_per_million_cents: null },
    ]).find('gpt-6-luna');
    const { cache_read_cost_per_million_cents: _removed, ...kept } = { ...original };
    expect(changed).toEqual({ ...kept, input_cost_per_million_cents: 99 });
  });

  it('makes an unpriced model detectable instead of free', () => {
    const { input_cost_per_million_cents: _price, ...unpriced } = local;
    const catalog = loadWith([unpriced, { ...local, model_id: 'free' }]);
    expect(isPriced(catalog.find('qwen3-8b')!)).toBe(false);
    expect(isPriced(catalog.find('free')!)).toBe(true);
    expect(isPriced(catalog.find('free')!, 'images')).toBe(false);
  });

  it('accepts further provider names only when the deployment declares them', () => {
    const entry = { ...local, provider: 'vllm' };
    expect(() => loadWith([entry])).toThrow(/provider: must be one of/);
    expect(loadWith([entry], { extraProviders: ['vllm'] }).find('vllm/qwen3-8b')?.provider).toBe('vllm');
  });

  it.each<[string, unknown, RegExp]>([
    ['no JSON', '{', /models\.json: cannot be read as JSON/],
    ['no list', { models: 3 }, /expected an array/],
    ['an entry without id', [{ provider: 'openai' }], /entry 0 is not an object with a model_id/],
    ['a repeated entry', [local, local], /entry 1 repeats model qwen3-8b/],
    ['a missing field', [{ ...local, context_window: undefined }], /model qwen3-8b: context_window/],
    ['a misspelled field', [{ ...local, input_cost: 3 }], /model qwen3-8b: .*input_cost/],
    ['a fractional price', [{ ...local, output_cost_per_million_cents: 0.5 }], /output_cost_per_million_cents/],
    ['a negative price', [{ ...local, price_per_image_cents: -1 }], /price_per_image_cents/],
    ['an unknown capability', [{ ...local, capabilities: ['smell'] }], /capabilities\.0/],
    ['an unknown route', [{ ...local, routes: [{ provider: 'acme', upstream_model: 'x' }] }], /routes\.0\.provider/],
    ['no route', [{ ...local, routes: [] }], /routes/],
    ['a known model broken', [{ model_id: 'gpt-6-luna', capabilities: 'text' }], /model gpt-6-luna: capabilities/],
    ['two models of one name', [{ ...local, model_id: 'openai/gpt-6-luna' }], /are both openai\/gpt-6-luna/],
  ])('refuses a file with %s, naming it', (_, content, message) => {
    expect(() => loadWith(content)).toThrow(message);
    expect(() => loadWith(content)).toThrow(CatalogError);
  });

  it('refuses a retired model by name, with what to use instead', () => {
    const catalog = loadWith([
      { ...local, aliases: ['qwen3-8b-old'], retired: { use: 'gpt-6-luna' } },
      { model_id: 'gpt-4.1-mini', retired: {} },
    ]);
    for (const name of ['qwen3-8b', 'openai/qwen3-8b', 'qwen3-8b-old']) {
      expect([catalog.find(name), catalog.adviceOn(name)]).toEqual([undefined, ' (retired; use gpt-6-luna)']);
    }
    expect([catalog.find('gpt-4.1-mini'), catalog.adviceOn('gpt-4.1-mini')]).toEqual([undefined, ' (retired)']);
    expect(catalog.list().map(({ model_id: id }) => id)).not.toContain('qwen3-8b');
    expect([catalog.adviceOn('nobody'), catalog.adviceOn('gpt-6-luna')]).toEqual(['', '']);
  });

  it('gives the names of a shadowed model to the entry that hides it', () => {
    const catalog = loadWith([{ ...local, aliases: ['mine'], shadows: ['gpt-4.1-mini'] }]);
    for (const name of ['qwen3-8b', 'mine', 'gpt-4.1-mini', 'gpt-4.1-mini-2025-04-14', 'openai/gpt-4.1-mini']) {
      expect(catalog.find(name)).toMatchObject({ model_id: 'qwen3-8b', input_cost_per_million_cents: 0 });
    }
    expect(catalog.list().map(({ model_id: id }) => id)).not.toContain('gpt-4.1-mini');
  });

  it.each([['nobody'], ['qwen3-8b']])('refuses an entry that shadows %s', (hidden) => {
    const message = `model qwen3-8b: shadows: there is no other model ${hidden}`;
    expect(() => loadWith([{ ...local, shadows: [hidden] }])).toThrow(message);
  });

  it('rejects a missing file', () => {
    expect(() => loadCatalog({ sandbox: true, overrideFile: join(folder, 'absent.json') })).toThrow(/absent\.json/);
  });
});

describe('find', () => {
  const routes = [
    { provider: 'openai', upstream_model: 'llama-3' },
    { provider: 'xai', upstream_model: 'llama-3-x' },
  ];

  it.each([
    ['llama', undefined, 2],
    ['openai/llama', undefined, 2],
    ['xai/llama', undefined, 1],
    ['llama', 'xai', 1],
    ['llama', 'openai', 1],
    ['llama', 'anthropic', undefined],
    ['anthropic/llama', undefined, undefined],
    ['nobody', undefined, undefined],
    ['/llama', undefined, undefined],
    ['', undefined, undefined],
  ])('finds %p with provider %p: %p routes', (id, provider, count) => {
    const catalog = loadWith([{ ...local, model_id: 'llama', routes }]);
    expect(catalog.find(id, provider)?.routes.length).toBe(count);
  });

  it('resolves the sandbox models by their bare name', () => {
    const catalog = loadCatalog({ sandbox: true });
    expect(catalog.find('echo-1')).toBe(catalog.find('sandbox/echo-1'));
    expect(catalog.find('sandbox/echo-1', 'sandbox')?.model_id).toBe('sandbox/echo-1');
  });
});

describe('toPublicModel', () => {
  it('shows the documented fields and no routing', () => {
    const model = loadCatalog({ sandbox: true }).find('claude-sonnet-5-5')!;
    expect(Object.keys(toPublicModel(model)).sort()).toEqual([
      'capabilities',
      'context_window',
      'deprecated',
      'description',
      'display_name',
      'input_cost_per_million_cents',
      'max_output_tokens',
      'model_id',
      'output_cost_per_million_cents',
      'provider',
      'training_cutoff',
    ]);
  });
});
