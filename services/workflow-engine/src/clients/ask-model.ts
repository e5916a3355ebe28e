import { randomUUID } from 'node:crypto';
import type { ResponsesBody } from '@tollgate/api/model-requests';
import type { Catalog } from '@tollgate/catalog';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { Dialect, type InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import { type Call, type Client, startCall, toAppError } from '@tollgate/rpc';
import { type Admitted, admit, type Ledger, refusal, release, underHold } from '@tollgate/spending';
import { readAnswer, readAnswerText } from '../domain/step/answer-reader.js';
import { toBounds, toTerms } from './admission.js';

export interface ModelClients {
  ledger: Ledger;
  inference: Client<typeof InferenceService>;
  catalog: Catalog;
}

/**
 * Makes one model call under a hold of its own, paid by the caller of the compilation, and returns the answer's text.
 * Inference settles it. A call whose outcome is unknown costs its customer nothing: the compilation fails, and repeating
 * it makes a new call.
 *
 * @throws AppError of the refusal or of the call
 */
export async function askModel(
  { ledger, inference, catalog }: ModelClients,
  request: ResponsesBody,
  call: Call,
): Promise<string> {
  const hold = { holdId: randomUUID() };
  const modelCall = callUnder(hold.holdId, call);
  const outcome = await admit(ledger, toTerms(catalog, request, hold), modelCall);
  if (outcome.kind === 'ended') throw new AppError('INTERNAL_ERROR', 'the hold of a new request has ended');
  if (outcome.kind === 'refused') {
    const isCustomer = call.requirePrincipal().kind === PrincipalKind.CUSTOMER;
    throw refusal(outcome, isCustomer ? 'customer' : 'project');
  }
  if (call.isAborted) {
    void release(ledger, hold, 'CANCELED', modelCall);
    throw toAppError(call.signal.reason);
  }
  return underHold(ledger, hold, modelCall, readText(inference, request, outcome, modelCall));
}

async function readText(
  inference: ModelClients['inference'],
  request: ResponsesBody,
  admitted: Admitted,
  call: Call,
): Promise<string> {
  const frames = inference.generate(
    {
      ...toBounds(admitted),
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
  return readAnswerText(readAnswer(data));
}

/** Inference logs and answers the model call under the id of its hold. */
function callUnder(holdId: string, call: Call): Call {
  const { principal, signal, traceparent } = call;
  return startCall({
    requestId: holdId,
    principal,
    signal,
    ...(traceparent !== undefined && { traceparent }),
    timeoutMs: Math.max(1, call.remainingMs()),
  });
}
