/** Kinds of errors by their code, class or message, and the text that may be shown to anyone. */
const REASONS: readonly [RegExp, string][] = [
  [/ECONNREFUSED/, 'connection refused'],
  [/ENOTFOUND|EAI_AGAIN|Name resolution/, 'host name not found'],
  [/ECONNRESET|EPIPE|^08|ClosedError|Connection terminated/, 'connection lost'],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|DEADLINE_EXCEEDED|timeout/i, 'no answer'],
  [/^28|SASLAuthentication|WRONGPASS|NOAUTH/, 'credentials rejected'],
  [/^3D000/, 'the database does not exist'],
  [/^53300/, 'too many connections'],
  [/^25006/, 'the database is read-only'],
  [/^READONLY/, 'read-only'],
  [/^(OOM|MISCONF)/, 'it accepts no writes: out of memory or disk space'],
  [/^(EMFILE|ENFILE)/, 'this process has no file descriptors left'],
  [/^57P0/, 'starting up or shutting down'],
  [/CERT|SELF_SIGNED|SSL|TLS/, 'TLS failed'],
  [/^(14|4)$|UNAVAILABLE/, 'not reachable'],
];

/** An error that carries a text which may be shown to anyone. */
interface ErrorWithReason {
  healthReason: string;
}

/** Fails a check with a reason that may be shown to anyone. */
export class Unhealthy extends Error implements ErrorWithReason {
  override readonly name = 'Unhealthy';

  constructor(readonly healthReason: string) {
    super(healthReason);
  }
}

/**
 * Returns why a check failed, for `/readyz`. Drivers' messages contain addresses, names of users and databases, so only
 * fixed texts are shown; the whole error is logged.
 */
export function toReason(error: unknown): string {
  for (const link of causes(error)) {
    const { healthReason, code, name, message } = link;
    if (typeof healthReason === 'string') return healthReason;
    const texts = [code, name, message].filter((text) => text !== undefined).map(String);
    const known = REASONS.find(([pattern]) => texts.some((text) => pattern.test(text)));
    if (known) return known[1];
  }
  return 'failed';
}

const CAUSES_MAX = 5;

/** The error and its causes, the innermost first: drivers wrap the error that says most. */
function causes(error: unknown): Partial<ErrorWithReason & Error & { code: unknown }>[] {
  const found: Error[] = [];
  for (let link = error; link instanceof Error && found.length < CAUSES_MAX; link = link.cause) found.unshift(link);
  return found;
}
