import type { CheckedLimit } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Usage } from '@tollgate/contracts/common/v1/usage_pb.js';
import type { Charge } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { elapsed, type Logger } from '@tollgate/runtime';
import { readTraceId, toRefusalDetail } from '../../domain/reports/request-detail.js';
import type { Refusal } from '../../domain/reports/request-entry.js';

const CREDENTIALS: Readonly<Record<number, string>> = {
  [PrincipalKind.SECRET_KEY]: 'secret_key',
  [PrincipalKind.PUBLISHABLE_KEY]: 'publishable_key',
  [PrincipalKind.CUSTOMER]: 'customer_token',
  [PrincipalKind.OWNER]: 'owner_session',
};

/** The status of a request whose client left before it was answered. */
const CLIENT_LEFT = 499;

/** The connection's data about the end of a request. */
export interface RequestEnd {
  requestId: string;
  method: string;
  /** The pattern of the endpoint; undefined where there is none. Never the address that was asked for. */
  route: string | undefined;
  principal: Principal | undefined;
  /** Undefined when no answer has started. */
  status: number | undefined;
  isStream: boolean;
  hasClientLeft: boolean;
  /** W3C context of the request, if it is traced. */
  traceparent?: string | undefined;
}

/** Collects the fields of one request's log line: ids, figures and codes, never text from a request. */
export class RequestRecord {
  readonly startedAt = elapsed();
  errorCode: string | undefined;
  /** The last event of a stream reported an error. */
  hasFailed = false;
  /** The server itself broke the connection, because the answer could not be completed. */
  isCut = false;
  requestBytes: number | undefined;
  responseBytes = 0;
  /** `admitted`, or the code of the refusal. */
  admission: string | undefined;
  model: string | undefined;
  /** The limits that a refused admission has checked. */
  checkedLimits: readonly CheckedLimit[] = [];
  #admissionMs: number | undefined;
  #decidedMs: number | undefined;
  #dispatchedAt: number | undefined;
  #providerMs: number | undefined;
  #firstOutputMs: number | undefined;
  #inputTokens: number | undefined;
  #outputTokens: number | undefined;
  #charged: { customer: number; owner: number } | undefined;

  /** Measures the time until the ledger has decided. */
  async admitting<T>(admit: () => Promise<T>): Promise<T> {
    const startedAt = elapsed();
    try {
      return await admit();
    } finally {
      const endedAt = elapsed();
      this.#admissionMs = endedAt - startedAt;
      this.#decidedMs = endedAt - this.startedAt;
    }
  }

  /** Milliseconds from the arrival of the request until the ledger has decided; undefined before. */
  get decidedMs(): number | undefined {
    return this.#decidedMs === undefined ? undefined : Math.round(this.#decidedMs);
  }

  dispatched(): void {
    this.#dispatchedAt = elapsed();
  }

  /** Records the time of the first output of a streamed answer. */
  streamed(): void {
    this.#firstOutputMs ??= elapsed() - this.startedAt;
  }

  /** Takes the figures of the last frame of a turn. A batch has many turns. */
  settled({ usage, charge }: { usage?: Usage | undefined; charge?: Charge | undefined }): void {
    if (this.#dispatchedAt !== undefined) this.#providerMs = elapsed() - this.#dispatchedAt;
    if (usage) {
      this.#inputTokens = (this.#inputTokens ?? 0) + Number(usage.inputTokens);
      this.#outputTokens = (this.#outputTokens ?? 0) + Number(usage.outputTokens);
    }
    if (!charge) return;
    const { customer, owner } = this.#charged ?? { customer: 0, owner: 0 };
    this.#charged = {
      customer: customer + Number(charge.customerMicrocents),
      owner: owner + Number(charge.ownerMicrocents),
    };
  }

  get outcome(): 'completed' | 'failed' {
    return this.errorCode !== undefined || this.hasFailed ? 'failed' : 'completed';
  }

  /** Keeps a request that admission refused for owners' reports: the ledger emits no event for it. */
  keepRefusal(refusals: { add(refusal: Refusal): void }, end: RequestEnd & { holdId: string; at: Date }): void {
    const { admission: errorCode } = this;
    const { principal } = end;
    if (errorCode === undefined || errorCode === 'admitted' || errorCode === 'ended' || !principal) return;
    refusals.add({
      id: end.holdId,
      at: end.at,
      accountId: principal.accountId,
      projectId: principal.projectId,
      customerId: principal.customerId || null,
      keyId: principal.keyId || null,
      tierCode: principal.tierCode || null,
      model: this.model ?? null,
      httpStatus: end.status ?? CLIENT_LEFT,
      isStream: end.isStream,
      requestId: end.requestId,
      errorCode,
      durationMs: elapsed() - this.startedAt,
      traceId: readTraceId(end.traceparent),
      detail: toRefusalDetail(this.checkedLimits, this.decidedMs),
    });
  }

  /** Writes the line. */
  log(logger: Logger, end: RequestEnd): void {
    if (!logger.isLevelEnabled('info')) return;
    const { principal, hasClientLeft } = end;
    const customerId = principal?.customerId || undefined;
    logger.info(
      {
        request_id: end.requestId,
        method: end.method,
        route: end.route,
        status: end.status ?? CLIENT_LEFT,
        outcome: hasClientLeft ? 'client_left' : this.outcome,
        error_code: this.errorCode,
        credential: principal && CREDENTIALS[principal.kind],
        project_id: principal?.projectId || undefined,
        customer_id: customerId,
        model: this.model,
        admission: this.admission,
        input_tokens: this.#inputTokens,
        output_tokens: this.#outputTokens,
        charged_microcents: this.#charged && (customerId ? this.#charged.customer : this.#charged.owner),
        is_stream: end.isStream,
        client_left: hasClientLeft,
        request_bytes: this.requestBytes,
        response_bytes: this.responseBytes,
        duration_ms: rounded(elapsed() - this.startedAt),
        admission_ms: rounded(this.#admissionMs),
        provider_ms: rounded(this.#providerMs),
        first_output_ms: rounded(this.#firstOutputMs),
      },
      'request ended',
    );
  }
}

/** Logs the answer to bytes that are not an HTTP request. */
export function logMalformed(logger: Logger, requestId: string): void {
  const fields = { request_id: requestId, status: 400, outcome: 'failed', error_code: 'INVALID_INPUT' };
  logger.info({ ...fields, client_left: false }, 'request ended');
}

/** To a tenth of a millisecond. */
function rounded(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms * 10) / 10;
}
