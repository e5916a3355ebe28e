import { defineConfig } from 'prisma/config';

const schema = 'billing_ledger';
const url = new URL(process.env.DATABASE_URL ?? 'postgresql://localhost:5432/postgres');
url.searchParams.set('schema', schema);

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: url.href },
  // The ledger's own tables: written by set-based SQL only, with partial indexes that Prisma can not describe.
  experimental: { externalTables: true },
  tables: {
    external: [
      ...['accounts', 'holds', 'hold_parts', 'transfers', 'usage_rollups', 'outbox', 'outbox_lease'],
      ...['account_limits', 'usage_thresholds', 'admission_blocks'],
      ...['payment_orders', 'processor_customers', 'processor_subscriptions'],
      ...['auto_topups', 'card_verifications', 'card_grants', 'deleted_customers', 'trial_grants'],
    ].map((table) => `${schema}.${table}`),
  },
});
