import { defineConfig } from 'prisma/config';

/**
 * The Prisma configuration of a service: its schema of tables, its migrations, and the database of `DATABASE_URL`.
 * @param {string} schema the PostgreSQL schema, such as `billing_ledger`
 */
export function prismaConfig(schema) {
  const url = new URL(process.env.DATABASE_URL ?? 'postgresql://localhost:5432/postgres');
  url.searchParams.set('schema', schema);
  return defineConfig({
    schema: 'prisma/schema.prisma',
    migrations: { path: 'prisma/migrations' },
    datasource: { url: url.href },
  });
}
