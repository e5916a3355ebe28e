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
 * SQLSTATE classes and codes: connection, resources, operator intervention, transactions ended by a timeout, a server that
 * accepts no writes because another is the primary, serialization, deadlock, lock timeout.
 */
const transientSqlState = /^(08...|53...|57...|25006|25P03|25P04|40001|40P01|55P03)$/;

/** Prisma's codes for an unavailable database, a busy pool, and transactions that ended with their connection. */
const transientPrisma = /^P(1001|1002|1008|1017|2024|2028|2034|2037)$/;

/** Kinds of Prisma's driver errors that carry no SQLSTATE. */
const transientDriverKinds = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
]);

/** node-postgres reports these without a code. */
const driverMessages =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed and is not queryable|Query read timeout)/;

/** UNAVAILABLE, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED of gRPC. */
const transientGrpc = new Set([14, 4, 8, 10]);

/**
 * Returns whether an error was caused by an unavailable dependency (database, network, peer) and not by the work itself,
 * so that the same work may succeed later. Errors of PostgreSQL, Prisma and gRPC are recognized, and causes are followed.
 */
export function isTransientError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, retryable, cause } = error as Record<string, unknown>;
  if (retryable === true) return true;
  if (typeof code === 'string' && isTransientCode(code)) return true;
  if (typeof code === 'number' && transientGrpc.has(code)) return true;
  if (typeof message === 'string' && driverMessages.test(message)) return true;
  if (isTransientDriverError(error)) return true;
  return cause !== undefined && cause !== error && isTransientError(cause);
}

function isTransientCode(code: string): boolean {
  return networkCodes.has(code) || transientSqlState.test(code) || transientPrisma.test(code);
}

/** Prisma reports most connection errors under general codes (P2010, P2039) and keeps the driver's error in `meta`. */
function isTransientDriverError(error: { meta?: { driverAdapterError?: { cause?: DriverCause } } }): boolean {
  const { originalCode, kind } = error.meta?.driverAdapterError?.cause ?? {};
  return transientSqlState.test(originalCode ?? '') || transientDriverKinds.has(kind ?? '');
}

interface DriverCause {
  originalCode?: string;
  kind?: string;
}
