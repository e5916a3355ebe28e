import type { Sampling } from './model-request.js';

/** Parameters that not every provider has, by OpenAI's names. */
export type OptionalParameter =
  | 'frequency_penalty'
  | 'logit_bias'
  | 'logprobs'
  | 'n'
  | 'prediction'
  | 'presence_penalty'
  | 'seed'
  | 'top_k'
  | 'top_logprobs';

/** A parameter that a request sets to a value with an effect. */
export interface RequestedParameter {
  parameter: OptionalParameter;
  /** Its path in the client's body. */
  field: string;
  value: unknown;
}

/** Parameters that a converted request carries. */
const sampling: Partial<Record<OptionalParameter, keyof Sampling>> = {
  frequency_penalty: 'frequencyPenalty',
  presence_penalty: 'presencePenalty',
  seed: 'seed',
  top_k: 'topK',
};

/** Returns the part of the parameters that a converted request carries. Each provider reads those that it supports. */
export function toSampling(requested: readonly RequestedParameter[]): { sampling?: Sampling } {
  const found: Sampling = {};
  for (const { parameter, value } of requested) {
    const member = sampling[parameter];
    if (member && typeof value === 'number') found[member] = value;
  }
  return Object.keys(found).length > 0 ? { sampling: found } : {};
}

/** Whether only a provider that receives the client's own body can honor the parameter. */
export function isForwardOnly({ parameter }: RequestedParameter): boolean {
  return sampling[parameter] === undefined;
}

/** Whether the parameter does not change the meaning of an answer, so that it is never refused. */
export function isHint({ parameter }: RequestedParameter): boolean {
  return parameter === 'seed';
}

/** Returns whether a value differs from the default of a number. */
export function isNotZero(value: unknown): boolean {
  return typeof value === 'number' && value !== 0;
}

export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
