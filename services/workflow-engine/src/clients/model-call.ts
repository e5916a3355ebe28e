import type { ResponseResource } from '@tollgate/api';
import type { Usage as UsageMessage } from '@tollgate/contracts/common/v1/usage_pb.js';
import {
  Dialect,
  type GenerateResponse,
  type InferenceService,
} from '@tollgate/contracts/inference/v1/inference_pb.js';
import { type AppError, isAppError } from '@tollgate/errors';
import { type Client, startCall } from '@tollgate/rpc';
import { failureOfError, readAnswer, readStreamEvent } from '../domain/answer-reader.js';
import type { Usage } from '../domain/cost.js';
import type { RunFailure } from '../domain/failure.js';
import type { ModelStep } from '../domain/model-step.js';
import type { Admitted } from './admission.js';

export interface ModelCallOptions {
  inference: Client<typeof InferenceService>;
  step: ModelStep;
  admitted: Admitted;
  /** JSON of the request's body. */
  body: string;
  remainingMs: number;
  signal: AbortSignal;
  /** Told each piece of text; false ends the call. */
  onText: (text: string) => boolean;
}

/**
 * - `answered`, `failed`: the provider has spoken and inference has settled.
 * - `timed_out`: the node's time is up. - `left`: the node is not ours any more.
 * - `lost`: nobody can tell whether the provider served anything.
 */
export type ModelOutcome =
  | { kind: 'answered'; answer: ResponseResource; usage: Usage }
  | { kind: 'failed'; failure: RunFailure; provider: string; usage: Usage | undefined }
  | { kind: 'timed_out' }
  | { kind: 'left' }
  | { kind: 'lost'; error: unknown };

/** Errors that say nothing about what happened to the request on the other side. */
const UNTOLD = new Set(['SERVICE_UNAVAILABLE', 'RELAY_TIMEOUT', 'INTERNAL_ERROR']);

/** One model call, streamed or plain. */
export async function callModel(options: ModelCallOptions): Promise<ModelOutcome> {
  const { step, signal, remainingMs } = options;
  const { requestId, principal } = step;
  const call = startCall({ requestId, principal, timeoutMs: Math.max(1, remainingMs), signal });
  const collected = new Collected(options);
  try {
    const frames = options.inference.generate(requestOf(options), call);
    for await (const frame of frames) {
      if (!collected.take(frame)) return { kind: 'left' };
    }
    return collected.outcome();
  } catch (error) {
    if (signal.aborted) return { kind: 'left' };
    if (call.remainingMs() <= 0) return { kind: 'timed_out' };
    if (isAppError(error) && isTold(error)) return collected.failure(failureOfError(error));
    return { kind: 'lost', error };
  }
}

function requestOf({ admitted, body, step }: ModelCallOptions) {
  const { admission, inputTokensEstimate } = admitted;
  return {
    dialect: Dialect.NATIVE,
    body: Buffer.from(body),
    stream: step.isStream,
    modelId: admission.modelId,
    maxOutputTokens: admission.maxOutputTokens,
    inputTokensEstimate,
    holdTtlMs: admission.holdTtlMs,
    holdId: step.requestId,
    toolContext: { runId: step.ref.runId },
    returnsToolCalls: true,
  };
}

function isTold(error: AppError): boolean {
  return !UNTOLD.has(error.code) || !error.retryable;
}

/** What the frames of one call have said so far. */
class Collected {
  readonly #options: ModelCallOptions;
  #provider = '';
  #usage: UsageMessage | undefined;
  #answer: ResponseResource | undefined;
  #failure: RunFailure | undefined;

  constructor(options: ModelCallOptions) {
    this.#options = options;
  }

  /** False when nobody wants the rest. */
  take(frame: GenerateResponse): boolean {
    if (frame.provider) this.#provider = frame.provider;
    if (frame.usage) this.#usage = frame.usage;
    for (const { data } of frame.more.length > 0 ? frame.more : [frame]) {
      if (data.length > 0 && !this.#takeData(Buffer.from(data).toString('utf8'))) return false;
    }
    return true;
  }

  outcome(): ModelOutcome {
    if (this.#failure) return this.failure(this.#failure);
    if (!this.#answer) return { kind: 'lost', error: new Error('the model call ended without an answer') };
    return { kind: 'answered', answer: this.#answer, usage: this.#served(this.#answer) };
  }

  failure(failure: RunFailure): ModelOutcome {
    const usage = this.#usage && countedUsage(this.#usage);
    return { kind: 'failed', failure, provider: this.#provider, usage };
  }

  #takeData(json: string): boolean {
    if (!this.#options.step.isStream) {
      this.#answer = readAnswer(json);
      return true;
    }
    const piece = readStreamEvent(json);
    if (piece.kind === 'text') return this.#options.onText(piece.text);
    if (piece.kind === 'end') this.#answer = piece.answer;
    if (piece.kind === 'error') this.#failure = piece.failure;
    return true;
  }

  /** The metered figure; the answer's own where the last frame has none. */
  #served({ usage }: ResponseResource): Usage {
    if (this.#usage) return countedUsage(this.#usage);
    return {
      inputTokens: BigInt(usage.input_tokens),
      outputTokens: BigInt(usage.output_tokens),
      images: 0,
    };
  }
}

function countedUsage(usage: UsageMessage): Usage {
  return { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens, images: usage.images };
}
