import { describe, expect, it } from '@jest/globals';
import { applyChanges, compareLists } from './compare-lists.js';
import { listOtherModels, readDownloaded } from './index.js';
import type { ListedModel, ReadList } from './listed-model.js';

const model = (id: string, more: object = {}): ListedModel => ({
  model_id: id,
  capabilities: ['text'],
  context_window: 1_000,
  max_output_tokens: 100,
  input_cost_per_million_cents: 10,
  output_cost_per_million_cents: 20,
  ...more,
});
const read = (models: ListedModel[], retired: ReadList['retired'] = []): ReadList => ({ models, retired, skipped: [] });
const own = { ...model('m-1'), provider: 'openai' };

describe('a catalog compared with a price list', () => {
  it('has no difference where the prices are equal, also by an alias and where the list leaves a price out', () => {
    const catalog = { file: [], others: [{ ...own, aliases: ['m-1-2026'], cache_read_cost_per_million_cents: 1 }] };
    expect(compareLists(catalog, { list: 'openai' }, read([model('m-1')]))).toEqual([]);
    expect(compareLists(catalog, { list: 'openai' }, read([model('m-1-2026')]))).toEqual([]);
  });

  it('names changed prices with the old ones, of the file before those of the package', () => {
    const catalog = { file: [{ model_id: 'm-1', output_cost_per_million_cents: 25 }], others: [own] };
    const long_context = { above_input_tokens: 500, input_cost_per_million_cents: 15 };
    const [change, ...more] = compareLists(catalog, { list: 'openai' }, read([model('m-1', { long_context })]));
    expect(change).toEqual({
      kind: 'changed',
      model_id: 'm-1',
      upstream: 'm-1',
      before: { output_cost_per_million_cents: 25, long_context: undefined },
      set: { output_cost_per_million_cents: 20, long_context },
    });
    expect(more).toEqual([]);
    expect(applyChanges(catalog.file, [change!])).toEqual([
      { model_id: 'm-1', output_cost_per_million_cents: 20, long_context },
    ]);
  });

  it('adds models with the route of their connection', () => {
    const catalog = { file: [], others: [own] };
    const compared = { list: 'mistral', connection: 'mistral-eu' };
    const changes = compareLists(catalog, compared, read([model('m@1', { aliases: ['m@1-2026'] })]));
    expect(changes).toEqual([
      {
        kind: 'added',
        model_id: 'mistral-eu/m-1',
        upstream: 'm@1',
        entry: {
          ...model('mistral-eu/m-1'),
          aliases: ['mistral-eu/m-1-2026'],
          provider: 'custom',
          routes: [{ provider: 'custom', connection: 'mistral-eu', upstream_model: 'm@1' }],
        },
      },
    ]);
    const file = applyChanges([], changes);
    expect(compareLists({ file, others: [] }, compared, read([model('m@1')]))).toEqual([]);
  });

  it('names retired models, with the successor that the catalog has', () => {
    const catalog = { file: [], others: [own, { ...own, model_id: 'm-2' }, { ...own, model_id: 'm-3', retired: {} }] };
    const retired = [
      { model_id: 'm-1', use: 'm-2' },
      { model_id: 'm-2', use: 'unknown' },
      { model_id: 'm-3' },
      { model_id: 'm-4' },
    ];
    const changes = compareLists(catalog, { list: 'openai' }, read([], retired));
    expect(changes).toEqual([
      { kind: 'retired', model_id: 'm-1', upstream: 'm-1', use: 'm-2' },
      { kind: 'retired', model_id: 'm-2', upstream: 'm-2' },
    ]);
    expect(applyChanges([], changes)).toEqual([
      { model_id: 'm-1', retired: { use: 'm-2' } },
      { model_id: 'm-2', retired: {} },
    ]);
  });

  it('finds the models of the package and of included lists', async () => {
    const others = await listOtherModels([{ list: 'openai' }]);
    const compared = { list: 'openai' };
    const found = (id: string) =>
      compareLists({ file: [], others }, compared, read([model(id)])).map(({ kind }) => kind);
    expect(found('gpt-6-luna')).toEqual(['changed']);
    expect(found('gpt-5.5-pro')).toEqual(['changed']);
    expect(found('gpt-99')).toEqual(['added']);
  });
});

it('reads a downloaded list by its form', () => {
  const entry = { litellm_provider: 'openai', mode: 'chat', max_tokens: 10, input_cost_per_token: 1e-6 };
  expect(readDownloaded({ m: entry }, 'openai', '2026-11-30').models).toHaveLength(1);
  const { models } = readDownloaded({ openai: { models: { m: {} } } }, 'openai', '2026-11-30');
  expect(models).toEqual([]);
  for (const content of [[], {}, 3, null, { m: {} }]) {
    expect(() => readDownloaded(content, 'openai', '2026-11-30')).toThrow('is neither LiteLLM');
  }
});
