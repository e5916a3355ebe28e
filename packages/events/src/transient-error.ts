const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/**
 * SQLSTATE classes and codes: connection, resources, operator intervention, serialization, deadlock, lock timeout.
 */
const transientSqlState = /^(08...|53...|57...|40001|40P01|55P03)$/;

const poolMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** UNAVAILABLE, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED of gRPC. */
const transientGrpc = new Set([14, 4, 8, 10]);

/** Whether an error says that the surroundings failed, not the event: trying again later may work. */
export function isTransientError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, retryable, cause } = error as Record<string, unknown>;
  if (retryable === true) return true;
  if (typeof code === 'string' && (networkCodes.has(code) || transientSqlState.test(code))) return true;
  if (typeof code === 'number' && transientGrpc.has(code)) return true;
  if (typeof message === 'string' && poolMessages.test(message)) return true;
  return cause !== undefined && cause !== error && isTransientError(cause);
}
