import { randomUUID } from 'node:crypto';
import type { ResponsesBody } from '@tollgate/api';
import type { Catalog } from '@tollgate/catalog';
import type { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { Dialect, type InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError, isErrorCode } from '@tollgate/errors';
import { type Call, type Client, startCall, toAppError, wasNotDelivered } from '@tollgate/rpc';
import type { Logger } from '@tollgate/runtime';
import { ADMIT_TIMEOUT_MS, type AdmissionOutcome, type Admitted, admit, boundsOf } from '../../clients/admission.js';
import { releaseHold } from '../../clients/release-hold.js';
import { readAnswer, textOf } from '../../domain/step/answer-reader.js';

export interface ModelClients {
  billing: Client<typeof BillingService>;
  inference: Client<typeof InferenceService>;
  catalog: Catalog;
  logger: Logger;
}

/**
 * Makes one model call under a hold of its own, paid by the caller of the compilation, and returns the answer's text.
 * Inference settles it. A hold whose call was not sent is released.
 *
 * @throws AppError of the refusal or of the call
 */
export async function askModel(clients: ModelClients, request: ResponsesBody, call: Call): Promise<string> {
  const { billing, catalog, logger } = clients;
  const holdId = randomUUID();
  const release = () => void releaseHold(billing, logger, { holdId, principal: call.requirePrincipal() });
  const admitting = admit(billing, catalog, request, subcall(call, holdId, ADMIT_TIMEOUT_MS));
  const outcome = await admitting.catch((error: unknown) => {
    release();
    throw error;
  });
  if (outcome.kind !== 'admitted') throw refused(outcome);
  if (call.isAborted) {
    release();
    throw toAppError(call.signal.reason);
  }
  try {
    return await textOfCall(clients, request, outcome, subcall(call, holdId, call.remainingMs()));
  } catch (error) {
    if (wasNotDelivered(error)) release();
    throw error;
  }
}

function refused(outcome: Exclude<AdmissionOutcome, { kind: 'admitted' }>): AppError {
  if (outcome.kind === 'ended') return new AppError('INTERNAL_ERROR', 'the hold of a new request has ended');
  const { code, message } = outcome;
  return new AppError(isErrorCode(code) ? code : 'INTERNAL_ERROR', message);
}

async function textOfCall(
  { inference }: ModelClients,
  request: ResponsesBody,
  admitted: Admitted,
  call: Call,
): Promise<string> {
  const frames = inference.generate(
    {
      ...boundsOf(admitted),
      dialect: Dialect.NATIVE,
      body: Buffer.from(JSON.stringify(request)),
      stream: false,
      holdId: call.requestId,
    },
    call,
  );
  let data = '';
  for await (const frame of frames) {
    for (const part of frame.more.length > 0 ? frame.more : [frame]) {
      if (part.data.length > 0) data = Buffer.from(part.data).toString('utf8');
    }
  }
  return textOf(readAnswer(data));
}

/** Under an id of its own, by which the ledger and inference know the model call. */
function subcall(call: Call, holdId: string, timeoutMs: number): Call {
  const { principal, signal, traceparent } = call;
  return startCall({
    requestId: holdId,
    principal,
    signal,
    ...(traceparent !== undefined && { traceparent }),
    timeoutMs: Math.max(1, Math.min(timeoutMs, call.remainingMs())),
  });
}
