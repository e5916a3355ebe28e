/** How long the server lets a transaction of this service sit without a statement; its row locks end with it. */
export const LEDGER_IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
/** How long a statement outside the writer waits for a row lock. */
export const POOL_LOCK_TIMEOUT_MS = 2_000;
/** How long a batch of the writer waits for a row lock before its tenants are separated. */
export const WRITER_LOCK_TIMEOUT_MS = 300;
/** How long a tenant that was found locked waits for its rows, on a connection of its own. */
export const LOCKED_TENANT_LOCK_TIMEOUT_MS = 1_000;
