/** One field of a request that was refused. */
export interface FieldProblem {
  field: string;
  message: string;
}

export interface TollgateErrorOptions {
  /** HTTP status; 0 when no answer arrived. */
  status?: number | undefined;
  requestId?: string | undefined;
  retryable?: boolean | undefined;
  retryAfterSeconds?: number | undefined;
  fields?: readonly FieldProblem[] | undefined;
  body?: unknown;
  cause?: unknown;
}

/**
 * Codes of the client itself. All other codes come from the service, such as `WALLET_EMPTY`; the API reference lists them.
 *
 * - `CONNECTION_ERROR`: no answer, or the connection broke.
 * - `TIMEOUT`: no complete answer within the time limit.
 * - `INVALID_ANSWER`: the answer is not what the API describes; the address may not be a Tollgate.
 * - `INVALID_SIGNATURE`: a webhook's signature does not match, or is too old.
 */
export type ClientErrorCode = 'CONNECTION_ERROR' | 'TIMEOUT' | 'INVALID_ANSWER' | 'INVALID_SIGNATURE';

/** Every failure of a call. Branch on `code`; `message` is for people. */
export class TollgateError extends Error {
  override readonly name = 'TollgateError';
  readonly code: ClientErrorCode | (string & {});
  readonly status: number;
  /** Names the request in the service's logs and in its request list. */
  readonly requestId: string | undefined;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | undefined;
  /** The fields that did not validate. */
  readonly fields: readonly FieldProblem[];
  /** The body of the answer. */
  readonly body: unknown;

  constructor(code: ClientErrorCode | (string & {}), message: string, options: TollgateErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status ?? 0;
    this.requestId = options.requestId;
    this.retryable = options.retryable ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.fields = options.fields ?? [];
    this.body = options.body;
  }

  /** `TollgateError: the wallet is empty (WALLET_EMPTY, 402)` */
  override toString(): string {
    return `${this.name}: ${this.message} (${[this.code, ...(this.status === 0 ? [] : [this.status])].join(', ')})`;
  }
}
