import { defineConfig } from 'prisma/config';

const schema = 'workflow_engine';
const url = new URL(process.env.DATABASE_URL ?? 'postgresql://localhost:5432/postgres');
url.searchParams.set('schema', schema);

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: url.href },
  // The queue and the event log have partial indexes and are only touched by the statements in src/store.
  experimental: { externalTables: true },
  tables: {
    external: [
      'run_work',
      'run_events',
      'run_keys',
      'run_unknown_costs',
      'run_session_messages',
      'outbox',
      'outbox_lease',
    ].map((table) => `${schema}.${table}`),
  },
});
