import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogError, loadCatalog, openCatalog } from '../load-catalog.js';
import { isPriced } from '../prices.js';
import { toPublicModel } from '../public-model.js';
import { loadPriceList, priceListNames } from './load-price-list.js';

const OWN = ['openai', 'anthropic', 'google-ai-studio', 'xai'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-catalog-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function openWith(include: unknown, models: unknown[] = []) {
  const overrideFile = join(folder, 'models.json');
  writeFileSync(overrideFile, JSON.stringify({ models, include }));
  return openCatalog({ sandbox: true, overrideFile });
}

describe('price lists', () => {
  it('holds more than 300 models of 21 vendors, each list with its source and date', async () => {
    const lists = await Promise.all(priceListNames.map(loadPriceList));
    expect(lists.length).toBe(21);
    expect(lists.reduce((sum, list) => sum + list!.models.length, 0)).toBeGreaterThan(300);
    for (const list of lists) {
      expect(list!.source).toMatch(/^https:\/\//);
      expect(list!.reviewed).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    }
    expect(await loadPriceList('unknown')).toBeUndefined();
  });

  it.each(OWN)('adds the models of %s to those of the catalog, all priced', async (list) => {
    const usual = loadCatalog({ sandbox: true }).list();
    const catalog = await openWith([{ list }]);
    const added = catalog.list().slice(usual.length);
    expect(catalog.list().slice(0, usual.length)).toEqual(usual);
    expect(added.length).toBe((await loadPriceList(list))!.models.length);
    for (const model of added) {
      expect([model.model_id, isPriced(model), model.provider]).toEqual([model.model_id, true, list]);
      expect(model.routes).toEqual([{ provider: list, upstream_model: model.model_id }]);
      expect(toPublicModel(model)).not.toHaveProperty('routes');
    }
  });

  it('includes only the models that the file names, which its own entries override', async () => {
    const include = [{ list: 'openai', models: ['gpt-5.5-pro', 'gpt-5-2025-08-07'] }];
    const catalog = await openWith(include, [{ model_id: 'gpt-5.5-pro', input_cost_per_million_cents: 1 }]);
    const usual = loadCatalog({ sandbox: true }).list().length;
    expect(
      catalog
        .list()
        .slice(usual)
        .map(({ model_id: id }) => id),
    ).toEqual(['gpt-5.5-pro', 'gpt-5-2025-08-07']);
    expect(catalog.find('gpt-5.5-pro')).toMatchObject({
      input_cost_per_million_cents: 1,
      output_cost_per_million_cents: 18_000,
    });
  });

  it.each([
    [[{ list: 'unknown' }], /list: must be one of openai, anthropic/],
    [[{ list: 'mistral' }], /connection is required/],
    [[{ list: 'mistral', connection: 'Not an id' }], /must be at most 64 lower-case letters/],
    [[{ list: 'openai', models: ['gpt-2'] }], /price list openai has no model gpt-2/],
    [{ list: 'openai' }, /include/],
  ])('refuses the include %j', async (include, message) => {
    await expect(openWith(include)).rejects.toThrow(message);
    await expect(openWith(include)).rejects.toThrow(CatalogError);
  });
});
