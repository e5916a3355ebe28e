// Lists that two packages define separately because neither may import the other, and definitions that exist once.
import { describe, expect, it } from '@jest/globals';
import { webhookEventTypes } from '@tollgate/api/hooks';
import { modelCapabilities, modelSchema, PROVIDER_IDS } from '@tollgate/api/model-requests';
import { capabilities, loadCatalog, providerIds, toPublicModel } from '@tollgate/catalog';
import { eventTypes, OUTBOX_SQL } from '@tollgate/events';
import { readSourceFiles } from './source-files.js';

const models = loadCatalog({ sandbox: true }).list();

describe('lists that are stated twice', () => {
  it('names the same capabilities and providers in the API and in the catalog', () => {
    expect(modelCapabilities).toEqual(capabilities);
    expect(PROVIDER_IDS).toEqual(providerIds);
  });

  it('shows every field of a public model in the API, and no other', () => {
    const shown = new Set(models.flatMap((model) => Object.keys(toPublicModel(model))));
    const described = Object.keys(modelSchema.shape);
    expect([...shown].filter((field) => !described.includes(field))).toEqual([]);
    for (const model of models) expect(modelSchema.strict().safeParse(toPublicModel(model)).error).toBeUndefined();
  });

  it('lists the same webhook events in the API and in hooks-webhooks, each of which is published', () => {
    const [file] = readSourceFiles(/^services\/hooks-webhooks\/src\/.*\/webhook-event\.ts$/);
    const list = /WEBHOOK_EVENT_TYPES = \[([^\]]*)\]/.exec(file?.text ?? '')?.[1] ?? '';
    expect([...list.matchAll(/'([^']+)'/g)].map((match) => match[1])).toEqual(webhookEventTypes);
    const published: string[] = Object.values(eventTypes).map(({ type }) => type);
    expect(webhookEventTypes.filter((type) => !published.includes(type))).toEqual([]);
  });

  it('creates the outbox in every service as the events package describes it', () => {
    const migrations = readSourceFiles(/^services\/.*\/migrations\/.*\.sql$/).filter(({ text }) =>
      /CREATE TABLE outbox\b/.test(text),
    );
    expect(migrations.length).toBeGreaterThanOrEqual(3);
    expect(migrations.filter(({ text }) => !text.includes(OUTBOX_SQL.trim())).map(({ path }) => path)).toEqual([]);
  });
});
