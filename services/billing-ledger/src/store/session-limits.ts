/** How long the server lets a transaction of this service sit without a statement; its row locks end with it. */
export const LEDGER_IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
/** How long a statement outside the writer waits for a row lock. */
export const POOL_LOCK_TIMEOUT_MS = 2_000;
