import {
  type CatalogModel,
  countInputTokens,
  estimateInputTokens,
  type RequestInput,
  reservedToolUses,
} from '@tollgate/catalog';
import {
  type Admission,
  type AdmitResponse,
  type CheckedLimit,
  MeteredKind,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError, type Audience, isErrorCode, isRefusalCode, refusalError } from '@tollgate/errors';
import { type Call, wasNotDelivered } from '@tollgate/rpc';
import { type HoldRef, type Ledger, release } from './ledger.js';

/** Upper bounds of a call's usage, in the unit of its model. */
export interface AdmitInput {
  hold: HoldRef;
  /** The model's name from the client; undefined = the tier's default. */
  model: string | undefined;
  /** Upper bound of the input; see `estimate`. */
  inputTokens: number;
  /** Undefined = as much as the model allows and the funds cover. */
  maxOutputTokens: number | undefined;
  /** Alternative answers of one request; `maxOutputTokens` covers all. Absent for one. */
  answers?: number;
  /** Set for images, which are charged individually. */
  images?: number;
  /** Covered by the hold besides tokens at the usual prices. */
  extras?: RequestExtras | undefined;
  /** `inputTokens` is a loose bound of this input, which is counted by this model when the bound does not fit. */
  countable?: { model: CatalogModel; input: RequestInput } | undefined;
  /** Hold of an earlier attempt whose outcome is unknown: the customer pays for this attempt instead. */
  supersedesHoldId?: string | undefined;
  /** Hold of the turn whose tool call this is; superseding the turn also supersedes this call. */
  partOfHoldId?: string | undefined;
  /** If the answer is lost, the hold is kept: the caller admits again under the same id. */
  isResumable?: boolean;
  /** The caller asks again after a refusal, which is therefore not announced to the owner. */
  isTentative?: boolean;
  /** The caller passes `ownConnections` of the admission on, so that connections of the project itself may serve the call. */
  passesOwnConnections?: boolean;
}

/** The parts of a request's input that may cost more than tokens at the usual prices. */
export type RequestExtras = Pick<RequestInput, 'cachesForHour' | 'providerTools' | 'serviceTier'>;

/** Returns the init form of tollgate.common.v1.RequestExtras. */
export function toExtras({ cachesForHour, providerTools = [], serviceTier = '' }: RequestExtras) {
  return { ...reservedToolUses(providerTools), cachesForHour: cachesForHour === true, serviceTier };
}

export interface Admitted {
  kind: 'admitted';
  admission: Admission;
  /** Input tokens that the hold covers: the bound of the terms, or the exact count. */
  inputTokens: number;
}

/** The ledger's decision not to hold; `refusal` makes it an error. Nothing is held. */
export interface Refused {
  kind: 'refused';
  code: string;
  message: string;
  /** The limits that were checked, in order. */
  limits?: readonly CheckedLimit[];
}

/** The hold ended earlier: anything served under its id now is not charged. */
export interface Ended {
  kind: 'ended';
  /** `wasReleased`: the hold ended without anything served. */
  admission: Admission;
}

export type Outcome = Admitted | Refused | Ended;

/** How long an admission may take, with all that it waits for. */
export const ADMISSION_TIMEOUT_MS = 10_000;

/**
 * Holds funds for a call. A repeated call with the same hold id returns the existing hold. If the answer is lost, releases a
 * possible hold in the background, unless the caller resumes under the same id.
 *
 * @throws AppError when the ledger did not decide
 */
export async function admit(ledger: Ledger, terms: AdmitInput, call: Call): Promise<Outcome> {
  const { hold, model, images, countable } = terms;
  let { inputTokens } = terms;
  const request = {
    holdId: hold.holdId,
    kind: images === undefined ? MeteredKind.TEXT : MeteredKind.IMAGES,
    model: model ?? '',
    inputTokensEstimate: BigInt(inputTokens),
    maxOutputTokens: terms.maxOutputTokens,
    images,
    answers: terms.answers,
    estimateIsLoose: countable !== undefined,
    supersedesHoldId: terms.supersedesHoldId,
    partOfHoldId: terms.partOfHoldId,
    isTentative: terms.isTentative,
    passesOwnConnections: terms.passesOwnConnections,
    ...(terms.extras && { extras: toExtras(terms.extras) }),
  };
  let decision: AdmitResponse['decision'];
  hold.isUndispatched = false;
  const limited = call.with({ timeoutMs: ADMISSION_TIMEOUT_MS });
  try {
    ({ decision } = await ledger.billing.admit(request, limited));
    if (countable && decision.case === 'refused' && decision.value.mayFitCounted) {
      // Counting is the slowest step, so it is done only when money is short.
      inputTokens = await countInputTokens(countable.model, countable.input);
      request.inputTokensEstimate = BigInt(inputTokens);
      request.estimateIsLoose = false;
      ({ decision } = await ledger.billing.admit(request, limited));
    }
  } catch (error) {
    // The outcome of a call that was sent is unknown. The caller does not wait for the release.
    if (wasNotDelivered(error)) hold.isUndispatched = true;
    else if (!terms.isResumable) void release(ledger, hold, 'CANCELED', call);
    throw error;
  }
  if (decision.case === 'admitted') {
    const admission = decision.value;
    return admission.hasEnded ? { kind: 'ended', admission } : { kind: 'admitted', admission, inputTokens };
  }
  if (decision.case === undefined) throw new AppError('INTERNAL_ERROR', 'the ledger made no decision');
  hold.isUndispatched = true;
  const { code, message, limits } = decision.value;
  return { kind: 'refused', code, message, limits };
}

/** Counts by bytes, which bounds every vocabulary, and has no window to clamp to. */
const UNKNOWN_MODEL: CatalogModel = {
  model_id: 'unknown',
  aliases: [],
  display_name: 'unknown',
  provider: 'openai',
  description: '',
  capabilities: [],
  context_window: Number.MAX_SAFE_INTEGER,
  max_output_tokens: 0,
  reasons: false,
  deprecated: false,
  routes: [],
  metered_in: 'tokens',
  tokenizer: 'bytes',
  // As for any model that the deployment adds.
  prompt_overhead_tokens: 64,
};

/**
 * Returns the most input tokens that the input can count for. `undefined` stands for a model that only admission will
 * name, or that the catalog does not have.
 */
export function estimate(model: CatalogModel | undefined, input: RequestInput): number {
  return estimateInputTokens(model ?? UNKNOWN_MODEL, input);
}

/**
 * Returns the refusal as the error that this audience may see: a limit of the owner's reaches a customer as a neutral,
 * retryable 503. A code that this build does not know is a refusal to spend: PAYMENT_REQUIRED.
 */
export function refusal({ code, message }: Refused, audience: Audience): AppError {
  if (isRefusalCode(code)) return refusalError(code, audience);
  return new AppError(isErrorCode(code) ? code : 'PAYMENT_REQUIRED', message);
}

/** Returns the error of a model that the client named and that does not exist, as vendors give it. */
export function unknownModel(name: string): AppError {
  return new AppError('NOT_FOUND', `the model ${name} does not exist`, {
    fields: [{ field: 'model', message: `unknown model ${name}` }],
  });
}

/** Whether the ledger refused because the model that the client named does not exist. `known` is the catalog's answer. */
export function namesUnknownModel(
  { code }: Refused,
  named: string | undefined,
  known: CatalogModel | undefined,
): named is string {
  return code === 'INVALID_INPUT' && named !== undefined && known === undefined;
}
