import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { testLogger } from '../conformance/harness.js';
import { describeTransport } from '../conformance/transport-conformance.js';
import { createEmbeddedTransport } from './embedded-transport.js';

const schema = `t_events_${randomBytes(5).toString('hex')}`;
let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase(import.meta.url);
});

afterAll(async () => {
  await database.pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await database.drop();
});

describeTransport('embedded transport', () =>
  createEmbeddedTransport({ url: database.url, schema, logger: testLogger, pollMs: 100, spacingMs: 5 }),
);
