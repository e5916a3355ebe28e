import { defineConfig } from 'prisma/config';

const schema = 'gateway_inference';
const url = new URL(process.env.DATABASE_URL ?? 'postgresql://localhost:5432/postgres');
url.searchParams.set('schema', schema);

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: url.href },
});
