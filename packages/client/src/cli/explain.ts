import { TollgateError } from '../core/error.js';
import type { CliConfig } from './config.js';
import { clean } from './output.js';
import { CliError, EXIT } from './shell.js';

export interface Explanation {
  exitCode: number;
  /** Lines for the person: what failed, and what to do. */
  lines: string[];
}

export function explain(error: unknown, { credential }: Pick<CliConfig, 'credential'>): Explanation {
  if (error instanceof CliError) return { exitCode: error.exitCode, lines: toLines(error.message, error.hint) };
  if (!(error instanceof TollgateError)) {
    return { exitCode: EXIT.failure, lines: toLines(error instanceof Error ? error.message : String(error)) };
  }
  const fields = error.fields.map(({ field, message }) => `  ${field}: ${message}`);
  const request = error.requestId === undefined ? [] : [`  request ${error.requestId}`];
  const [first = '', ...hint] = toLines(`${error.message} (${error.code})`, findHint(error, credential !== undefined));
  return { exitCode: findExitCode(error), lines: [first, ...fields.map(clean), ...request, ...hint] };
}

function toLines(message: string, hint?: string): string[] {
  return [`error: ${clean(message)}`, ...(hint === undefined ? [] : [hint])];
}

function findExitCode({ status, retryable }: TollgateError): number {
  if (status === 401 || status === 403) return EXIT.signIn;
  if (status === 404) return EXIT.notFound;
  if (status === 402) return EXIT.payment;
  return retryable ? EXIT.unavailable : EXIT.failure;
}

function findHint({ code, status, retryAfterSeconds }: TollgateError, isFromEnv: boolean): string | undefined {
  if (status === 401 && isFromEnv)
    return 'Check TOLLGATE_API_KEY: it goes before a sign-in, and the gateway does not accept it.';
  if (status === 401) return 'Run `tollgate login` again.';
  if (status === 403) return 'This credential may not do that; `tollgate whoami` shows it.';
  if (status === 404) return 'Check the id, and the project in `tollgate whoami`.';
  if (status === 402) return '`tollgate balance` shows the funds.';
  if (code === 'CONNECTION_ERROR') return 'Is the gateway running? Choose another with --url or TOLLGATE_URL.';
  if (retryAfterSeconds !== undefined) return `Try again in ${Math.ceil(retryAfterSeconds)} s.`;
  return undefined;
}
