/** An error in the processor's form. */
export class ProcessorError extends Error {
  override readonly name = 'ProcessorError';
  readonly status: number;
  readonly body: Record<string, unknown>;

  constructor(status: number, error: { type: string; message: string } & Record<string, unknown>) {
    super(error.message);
    this.status = status;
    this.body = { error };
  }
}

export function invalid(message: string, param?: string): ProcessorError {
  return new ProcessorError(400, { type: 'invalid_request_error', message, ...(param !== undefined && { param }) });
}

export function exists(kind: string, id: string): ProcessorError {
  return new ProcessorError(400, {
    type: 'invalid_request_error',
    code: 'resource_already_exists',
    message: `${kind} already exists.`,
    param: 'id',
    id,
  });
}

export function missing(kind: string, id: string, param = 'id'): ProcessorError {
  return new ProcessorError(param === 'id' ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param,
  });
}

/** `intent`: the payment intent, as the processor shows it with the refusal. */
export function declined(declineCode: string, intent?: object): ProcessorError {
  return new ProcessorError(402, {
    type: 'card_error',
    code: declineCode === 'authentication_required' ? 'authentication_required' : 'card_declined',
    decline_code: declineCode,
    message: 'Your card was declined.',
    ...(intent && { payment_intent: intent }),
  });
}
