import { defineConfig } from 'prisma/config';

const schema = 'hooks_webhooks';
const url = new URL(process.env.DATABASE_URL ?? 'postgresql://localhost:5432/postgres');
url.searchParams.set('schema', schema);

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: url.href },
  experimental: { externalTables: true },
  tables: { external: [`${schema}.webhook_lanes`, `${schema}.consumed_events`] },
});
