import { defineConfig } from 'prisma/config';

const schema = 'agent_registry';
const url = new URL(process.env.DATABASE_URL ?? 'postgresql://localhost:5432/postgres');
url.searchParams.set('schema', schema);

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: url.href },
  // Written by the statements of @tollgate/events; Prisma cannot describe their partial indexes.
  experimental: { externalTables: true },
  tables: { external: [`${schema}.outbox`, `${schema}.outbox_lease`] },
});
