// Each table is read and written in one way: by Prisma Client or by SQL (ARCHITECTURE.md, Tables).
import { describe, expect, it } from '@jest/globals';
import { readServices } from './data-model/files.js';
import { readSourceFiles } from './source-files.js';

/** Services that use SQL for ordinary rows too. The list only becomes shorter. */
const WITHOUT_CLIENT = [
  'billing-ledger',
  'edge-gateway',
  'gateway-inference',
  'hooks-webhooks',
  'messaging',
  'workflow-engine',
];

const services = [...readServices()].map(([service, { groups }]) => {
  const files = readSourceFiles(new RegExp(`^services/${service}/src/(?!.*\\.test\\.ts$).*\\.(ts|sql)$`));
  const models = groups.flatMap((group) => group.models);
  return { service, models, text: files.map((file) => file.text).join('\n') };
});

describe.each(services)('the code of $service', ({ service, models, text }) => {
  const byClient = models.filter(({ name }) => usesClient(text, name)).map(({ table }) => table);
  const bySql = models.filter(({ table }) => usesSql(text, table)).map(({ table }) => table);

  it('uses no table both by Prisma Client and by SQL', () => {
    expect(byClient.filter((table) => bySql.includes(table))).toEqual([]);
  });

  it('uses Prisma Client unless the service is listed as one without', () => {
    expect(byClient.length === 0).toBe(WITHOUT_CLIENT.includes(service));
  });
});

function usesClient(text: string, model: string): boolean {
  const delegate = `${model[0]?.toLowerCase()}${model.slice(1)}`;
  return new RegExp(`\\.${delegate}\\.(find|create|update|upsert|delete|count|aggregate|groupBy)\\w*\\(`).test(text);
}

/** Keywords in capitals, as all statements have them. */
function usesSql(text: string, table: string): boolean {
  return new RegExp(`\\b(FROM|JOIN|INTO|UPDATE|USING|ONLY)\\s+"?${table}\\b`).test(text);
}
