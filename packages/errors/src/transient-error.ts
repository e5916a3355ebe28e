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

/** Prisma's codes for a database that is away, slow to connect, or that asks for another try. */
const transientPrisma = /^P(1001|1002|1008|1017|2024|2034)$/;

const poolMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** UNAVAILABLE, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED of gRPC. */
const transientGrpc = new Set([14, 4, 8, 10]);

/** Whether an error says that the surroundings failed, not the work: trying again later may do. */
export function isTransientError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, retryable, cause } = error as Record<string, unknown>;
  if (retryable === true) return true;
  if (typeof code === 'string' && isTransientCode(code)) return true;
  if (typeof code === 'number' && transientGrpc.has(code)) return true;
  if (typeof message === 'string' && poolMessages.test(message)) return true;
  return cause !== undefined && cause !== error && isTransientError(cause);
}

function isTransientCode(code: string): boolean {
  return networkCodes.has(code) || transientSqlState.test(code) || transientPrisma.test(code);
}
