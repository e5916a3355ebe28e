import { randomUUID } from 'node:crypto';
import { inputOfResponses, type ResponsesBody } from '@tollgate/api';
import { type Catalog, type CatalogModel, estimateInputTokens } from '@tollgate/catalog';
import { type Admission, type BillingService, MeteredKind } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { Dialect, type InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError, isErrorCode } from '@tollgate/errors';
import type { Call, Client } from '@tollgate/rpc';
import { startCall } from '@tollgate/rpc';
import { readAnswer } from '../../domain/answer-reader.js';

export interface ModelClients {
  billing: Client<typeof BillingService>;
  inference: Client<typeof InferenceService>;
  catalog: Catalog;
}

const ADMIT_TIMEOUT_MS = 10_000;

/** Stands for a model that only admission will name: the most careful rule for counting, no window to clamp to. */
const UNKNOWN_MODEL = { tokenizer: 'bytes', context_window: Number.MAX_SAFE_INTEGER } as CatalogModel;

/**
 * One model call of its own hold, paid by whoever asked for the compilation; inference settles it. Answers the text.
 *
 * @throws AppError of the refusal or of the call
 */
export async function askModel(clients: ModelClients, request: ResponsesBody, call: Call): Promise<string> {
  const requestId = randomUUID();
  const model = request.model === undefined ? undefined : clients.catalog.find(request.model, request.provider);
  const inputTokensEstimate = BigInt(estimateInputTokens(model ?? UNKNOWN_MODEL, inputOfResponses(request)));
  const admission = await admit(clients, request, requestId, inputTokensEstimate, call);
  const frames = clients.inference.generate(
    {
      dialect: Dialect.NATIVE,
      body: Buffer.from(JSON.stringify(request)),
      stream: false,
      modelId: admission.modelId,
      maxOutputTokens: admission.maxOutputTokens,
      inputTokensEstimate,
      holdTtlMs: admission.holdTtlMs,
      holdId: requestId,
    },
    subcall(call, requestId, call.remainingMs()),
  );
  let data = '';
  for await (const frame of frames) {
    for (const part of frame.more.length > 0 ? frame.more : [frame]) {
      if (part.data.length > 0) data = Buffer.from(part.data).toString('utf8');
    }
  }
  const parts = readAnswer(data).output.at(-1)?.content ?? [];
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

async function admit(
  { billing }: ModelClients,
  { model, max_output_tokens: maxOutputTokens }: ResponsesBody,
  requestId: string,
  inputTokensEstimate: bigint,
  call: Call,
): Promise<Admission> {
  const req = {
    requestId,
    kind: MeteredKind.TEXT,
    model: model ?? '',
    inputTokensEstimate,
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  };
  const { decision } = await billing.admit(req, subcall(call, requestId, ADMIT_TIMEOUT_MS));
  if (decision.case === 'admitted') return decision.value;
  const { code, message } = decision.case === 'refused' ? decision.value : { code: '', message: '' };
  throw new AppError(isErrorCode(code) ? code : 'INTERNAL_ERROR', message || 'the model call was not decided on');
}

/** Under an id of its own, by which the ledger and inference know the model call. */
function subcall(call: Call, requestId: string, timeoutMs: number): Call {
  const { principal, signal, traceparent } = call;
  return startCall({
    requestId,
    principal,
    signal,
    ...(traceparent !== undefined && { traceparent }),
    timeoutMs: Math.max(1, Math.min(timeoutMs, call.remainingMs())),
  });
}
