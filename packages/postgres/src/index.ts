export { createClient, type DedicatedConnection } from './client.js';
export { QUEUE_SESSION_SETTINGS } from './connection-settings.js';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  removeEmbeddedPostgres,
  startEmbeddedPostgres,
} from './embedded/server.js';
export {
  FOREIGN_KEY_VIOLATION,
  hasCode,
  LOCK_NOT_AVAILABLE,
  QUERY_CANCELED,
  UNIQUE_VIOLATION,
} from './error-codes.js';
export { type ExplainedStatement, explainStatement, explainStatements } from './explain.js';
export { FIRST_ID, KeyRing, toVisit, type Visit, type VisitedKey } from './key-ring.js';
export { type MigrateOptions, type MigrateResult, migrate } from './migrate.js';
export { MigrationError } from './migration-files.js';
export { type MovableLink, openMovableLink } from './movable-link.js';
export { type ConnectOptions, createPool, type Pool, type PoolOptions } from './pool.js';
export { prismaAdapter, prismaTransactions } from './prisma-adapter.js';
export { type RowsQuery, readRowsAsJson } from './read-rows-as-json.js';
export { emptyDatabase, type TestDatabase, testDatabase } from './test-database.js';
export { type Isolation, lockUntilCommit, type Queryable, type Tx, withTransaction } from './transaction.js';
