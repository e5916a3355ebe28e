// Each service's schema.prisma says of every table what it is, what it grows with, who writes it and how long its rows are kept.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DATA_MODEL, readServices } from './data-model/files.js';
import { renderDataModel } from './data-model/render.js';
import { ROOT } from './run-tool.js';

const services = readServices();

describe.each([...services])('the schema of %s', (service, { groups }) => {
  const models = groups.flatMap((group) => group.models);
  const folder = join(ROOT, 'services', service, 'src');

  it('describes every table', () => {
    expect(models.length).toBeGreaterThan(0);
    const missing = models.flatMap(({ name, table, what, growsWith, writtenBy, kept }) =>
      Object.entries({ table, what, growsWith, writtenBy, kept }).flatMap(([part, text]) =>
        text.length < 4 ? [`${name} lacks ${part}`] : [],
      ),
    );
    expect(missing).toEqual([]);
  });

  it('names only files that exist', () => {
    const named = models
      .flatMap(({ writtenBy, kept }) => quoted(`${writtenBy} ${kept}`))
      .filter((text) => /\//.test(text));
    expect(named.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
  });

  it('names only settings that exist', () => {
    const known = ['config.ts', '../../../packages/events/src/config-fields.ts'].map((path) =>
      readFileSync(join(folder, path), 'utf8'),
    );
    const named = models.flatMap(({ kept }) => quoted(kept)).filter((text) => /^[A-Z_]+(=|$)/.test(text));
    const settings = named.map((text) => text.replace(/=.*/, ''));
    expect(settings.filter((name) => !known.some((text) => text.includes(`${name}:`)))).toEqual([]);
  });
});

it('keeps docs/data-model.md equal to the schemas: `npm run generate` writes it', () => {
  expect(readFileSync(DATA_MODEL, 'utf8')).toBe(renderDataModel(services));
});

function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string);
}
