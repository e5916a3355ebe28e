/** How long a transaction may idle before the server ends it and releases its row locks. */
export const LEDGER_IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
/** How long a statement outside the writer waits for a row lock. */
export const POOL_LOCK_TIMEOUT_MS = 2_000;
/** How long a batch of the writer waits for a row lock before it is split by tenant. */
export const WRITER_LOCK_TIMEOUT_MS = 300;
/** How long a batch of a locked tenant waits for its rows, on the second connection. */
export const LOCKED_TENANT_LOCK_TIMEOUT_MS = 1_000;
/** Statements that are read at once. One account reads at most two of them, so that others find a connection. */
export const STATEMENTS_MAX = 4;
/** Connections that read statements. */
export const STATEMENT_POOL = {
  applicationName: 'statements',
  max: STATEMENTS_MAX,
  connectTimeoutMs: 3_000,
  statementTimeoutMs: 10_000,
  idleInTransactionTimeoutMs: LEDGER_IDLE_IN_TRANSACTION_TIMEOUT_MS,
} as const;
