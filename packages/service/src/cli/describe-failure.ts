/** Returns what went wrong in one line, with what to do about the failures that operators meet. */
export function describeFailure(error: unknown): string {
  const { code, message } = firstCause(error);
  const remedy = code === undefined ? undefined : REMEDIES[code];
  const line = message.replaceAll(/\s*\n\s*/g, '; ');
  return remedy === undefined ? line : `${line}: ${remedy}`;
}

const UNREACHABLE =
  'start the server, or correct its address (DATABASE_URL, KAFKA_BROKERS or the …_ADDR of the service)';

/** By the code of Node, PostgreSQL (SQLSTATE) or the error catalog. */
const REMEDIES: Readonly<Record<string, string>> = {
  ECONNREFUSED: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  '28P01': 'correct the user and password in DATABASE_URL',
  '28000': 'correct the user in DATABASE_URL',
  '3D000': 'create the database that DATABASE_URL names',
  '42501': 'grant the role of DATABASE_URL the right to its schema',
  '57P03': 'wait until the database has started, then repeat the command',
  '53300': 'raise max_connections of the database, or repeat the command later',
  SERVICE_UNAVAILABLE: 'check that the called service runs and that its …_ADDR is right, then repeat the command',
};

function firstCause(error: unknown): { code: string | undefined; message: string } {
  if (typeof error !== 'object' || error === null) return { code: undefined, message: String(error) };
  const { code, message, errors } = error as { code?: unknown; message?: unknown; errors?: unknown };
  // Node reports one error per address of a host name.
  if (Array.isArray(errors) && errors.length > 0) return firstCause(errors[0]);
  return { code: typeof code === 'string' ? code : undefined, message: String(message) };
}
