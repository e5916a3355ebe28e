import type { ResponseResource } from '@tollgate/api/model-requests';
import type { Usage as UsageMessage } from '@tollgate/contracts/common/v1/usage_pb.js';
import {
  type Charge,
  Dialect,
  type GenerateResponse,
  type InferenceService,
} from '@tollgate/contracts/inference/v1/inference_pb.js';
import { type AppError, isAppError } from '@tollgate/errors';
import { type Client, startCall } from '@tollgate/rpc';
import { classify } from '@tollgate/spending';
import type { RunFailure } from '../domain/failure.js';
import { type ReceivedAnswer, readAnswer, readStreamEvent, toFailure } from '../domain/step/answer-reader.js';
import { costOfCall, type Served, type Usage } from '../domain/step/cost.js';
import type { ModelStep } from '../domain/step/model-step.js';
import { type AdmittedStep, toBounds } from './admission.js';

export interface ModelCallOptions {
  inference: Client<typeof InferenceService>;
  step: ModelStep;
  admitted: AdmittedStep;
  /** JSON of the request's body. */
  body: string;
  remainingMs: number;
  signal: AbortSignal;
  /** Called with each piece of text. Returning false ends the call. */
  onText: (text: string) => boolean;
  /** Called with an answer that is not settled yet. It is valid only if the call ends with it. */
  onAnswer: (received: ReceivedAnswer) => void;
}

/**
 * - `answered`: the answer is complete and settled.
 * - `failed`: the call failed; a retry would be a new call. `served` is undefined when the settlement is unknown.
 * - `timed_out`: the node reached its deadline.
 * - `left`: another process holds the node, or its run has ended.
 * - `undelivered`: the call never reached inference.
 * - `lost`: the outcome is unknown.
 */
export type ModelOutcome =
  | { kind: 'answered'; received: ReceivedAnswer; served: Served }
  | { kind: 'failed'; failure: RunFailure; provider: string; served: Served | undefined }
  | { kind: 'timed_out' }
  | { kind: 'left' }
  | { kind: 'undelivered'; error: unknown }
  | { kind: 'lost'; error: unknown };

/** Makes one model call, streamed or plain. */
export async function callModel(options: ModelCallOptions): Promise<ModelOutcome> {
  const { step, signal, remainingMs } = options;
  const { holdId, principal, traceparent } = step;
  const timeoutMs = Math.max(1, remainingMs);
  const call = startCall({ requestId: holdId, principal, timeoutMs, signal, traceparent });
  const collected = new Collected(options);
  try {
    const frames = options.inference.generate(toRequest(options), call);
    for await (const frame of frames) {
      if (!collected.take(frame)) return { kind: 'left' };
    }
    return collected.outcome();
  } catch (error) {
    if (signal.aborted) return { kind: 'left' };
    const fate = classify(error);
    if (fate === 'undelivered') return { kind: 'undelivered', error };
    if (call.remainingMs() <= 0) return { kind: 'timed_out' };
    if (isAppError(error) && fate !== 'lost') return collected.failure(toFailure(error));
    return { kind: 'lost', error };
  }
}

function toRequest({ admitted, body, step }: ModelCallOptions) {
  return {
    ...toBounds(admitted),
    dialect: Dialect.NATIVE,
    body: Buffer.from(body),
    stream: step.isStream,
    holdId: step.holdId,
    toolContext: { runId: step.ref.runId },
    returnsToolCalls: true,
    awaitsSettlement: true,
    answersBeforeSettlement: true,
  };
}

/** The content of a call's frames so far. */
class Collected {
  readonly #options: ModelCallOptions;
  #provider = '';
  #usage: UsageMessage | undefined;
  #charge: Charge | undefined;
  #received: ReceivedAnswer | undefined;
  #error: AppError | undefined;

  constructor(options: ModelCallOptions) {
    this.#options = options;
  }

  /** Returns false when the call should end. */
  take(frame: GenerateResponse): boolean {
    if (frame.provider) this.#provider = frame.provider;
    if (frame.usage) this.#usage = frame.usage;
    if (frame.charge) this.#charge = frame.charge;
    for (const { data } of frame.more.length > 0 ? frame.more : [frame]) {
      if (data.length > 0 && !this.#takeData(Buffer.from(data).toString('utf8'))) return false;
    }
    // Stored answers, and those of inference of the previous version, are in the last frame.
    if (this.#received && !frame.usage && !frame.hasFailed) this.#options.onAnswer(this.#received);
    return true;
  }

  outcome(): ModelOutcome {
    if (this.#error && classify(this.#error) === 'lost') return { kind: 'lost', error: this.#error };
    if (this.#error) return this.failure(toFailure(this.#error));
    if (!this.#received) return { kind: 'lost', error: new Error('the model call ended without an answer') };
    const usage = this.#meteredUsage(this.#received.answer);
    return { kind: 'answered', received: this.#received, served: this.#served(usage) };
  }

  failure(failure: RunFailure): ModelOutcome {
    const isSettled = this.#usage !== undefined && this.#charge !== undefined;
    const served = isSettled ? this.#served(toUsage(this.#usage as UsageMessage)) : undefined;
    return { kind: 'failed', failure, provider: this.#provider, served };
  }

  #takeData(json: string): boolean {
    if (!this.#options.step.isStream) {
      this.#received = { answer: readAnswer(json), json };
      return true;
    }
    const piece = readStreamEvent(json);
    if (piece.kind === 'text') return this.#options.onText(piece.text);
    if (piece.kind === 'end') this.#received = piece.received;
    if (piece.kind === 'error') this.#error = piece.error;
    return true;
  }

  /** Uses the ledger's charge. Inference of the previous version does not report it; then the prices apply. */
  #served(usage: Usage): Served {
    const { prices, isCustomersCost } = this.#options.admitted;
    const charge = this.#charge;
    if (!charge) return { usage, costMicrocents: costOfCall(usage, prices) };
    return { usage, costMicrocents: isCustomersCost ? charge.customerMicrocents : charge.ownerMicrocents };
  }

  /** Returns the metered usage, or the answer's when the last frame has none. */
  #meteredUsage({ usage }: ResponseResource): Usage {
    if (this.#usage) return toUsage(this.#usage);
    return {
      inputTokens: BigInt(usage.input_tokens),
      outputTokens: BigInt(usage.output_tokens),
      images: 0,
    };
  }
}

function toUsage(usage: UsageMessage): Usage {
  return { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens, images: usage.images };
}
