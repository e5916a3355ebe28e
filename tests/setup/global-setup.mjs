// Provides PostgreSQL for a whole jest run: the server named by TEST_DATABASE_URL or DATABASE_URL, else a throw-away
// embedded one. Every test file takes a schema of its own from it (testDatabase of @tollgate/postgres), or a copy of the
// template database (tests/system/migrated-database.ts).
import { randomBytes } from 'node:crypto';
import { startTestServer } from './test-server.mjs';

export default async function globalSetup() {
  process.env.TEST_TEMPLATE_DATABASE = `t_template_${randomBytes(5).toString('hex')}`;
  const given = process.env.TEST_DATABASE_URL || process.env.DATABASE_URL;
  if (given) {
    process.env.TEST_DATABASE_URL = given;
    return;
  }
  const server = await startTestServer();
  process.env.TEST_DATABASE_URL = server.url;
  globalThis.tollgateTestServer = server;
}
