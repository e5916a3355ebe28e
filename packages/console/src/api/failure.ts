export interface FailureDetails {
  status: number;
  code: string;
  requestId?: string | undefined;
  fields?: Readonly<Record<string, string>>;
}

/** An answer of the API that is an error. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';

  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  /** Messages by field. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(message: string, { status, code, requestId, fields = {} }: FailureDetails) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.fields = fields;
  }

  /** Most endpoints answer an envelope; those of webhooks and tool hooks answer only a message. */
  static async read(response: Response): Promise<ApiFailure> {
    const requestId = response.headers.get('X-Service-Request-Id') ?? undefined;
    const body = await response.json().catch(() => ({}));
    const fallback = `The service answered ${response.status}.`;
    const message = body.message ?? (body.error !== 'api_error' ? body.error : undefined) ?? fallback;
    const faults: { field: string; message: string }[] = body.fields ?? [];
    const fields = Object.fromEntries(faults.map((fault) => [fault.field, fault.message]));
    return new ApiFailure(String(message), { status: response.status, code: body.code ?? '', requestId, fields });
  }
}

/** Returns a text for people. */
export function describeFailure(error: unknown): string {
  if (error instanceof ApiFailure) return error.message;
  if (error instanceof TypeError) return 'The service cannot be reached.';
  return error instanceof Error ? error.message : String(error);
}
