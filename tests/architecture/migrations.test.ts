import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emptyDatabase } from '@tollgate/postgres';
import { ROOT, runTool } from './run-tool.js';

const services = readdirSync(join(ROOT, 'services')).filter((name) =>
  existsSync(join(ROOT, 'services', name, 'prisma/schema.prisma')),
);

describe('the migrations', () => {
  let database: Awaited<ReturnType<typeof emptyDatabase>>;
  beforeAll(async () => {
    database = await emptyDatabase('migrations');
  });
  afterAll(() => database.drop());

  it.each(services)('creates for %s the tables that its Prisma schema describes', (service) => {
    const cwd = join(ROOT, 'services', service);
    const env = { DATABASE_URL: database.url };
    const deployed = runTool('tollgate-prisma', ['migrate', 'deploy'], { cwd, env });
    expect(deployed.status === 0 ? '' : deployed.output).toBe('');
    const diff = ['migrate', 'diff', '--from-config-datasource', '--to-schema', 'prisma/schema.prisma', '--exit-code'];
    const compared = runTool('tollgate-prisma', diff, { cwd, env });
    expect(compared.status === 0 ? '' : compared.output).toBe('');
  });
});
