import pg from 'pg';

export default async function globalTeardown() {
  if (globalThis.tollgateTestServer) return globalThis.tollgateTestServer.stop();
  const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(process.env.TEST_TEMPLATE_DATABASE)}`);
  await client.end();
}
