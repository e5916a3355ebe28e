import type { Sampling } from './model-request.js';

/** Parameters that not every provider has, by OpenAI's names. */
export type OptionalParameter =
  | 'frequency_penalty'
  | 'json_object'
  | 'logit_bias'
  | 'logprobs'
  | 'n'
  | 'prediction'
  | 'presence_penalty'
  | 'seed'
  /** A service tier that may cost more than the usual one. */
  | 'service_tier'
  | 'temperature'
  | 'top_k'
  | 'top_logprobs'
  | 'top_p'
  /** A member of the body that is on no list: it may have a price. */
  | 'unknown';

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

/** Parameters that providers have unless they say otherwise of a model. */
const common: ReadonlySet<OptionalParameter> = new Set(['json_object', 'temperature', 'top_p']);

export function isCommon(parameter: OptionalParameter): boolean {
  return common.has(parameter);
}

/** Returns the common parameters with an effect: temperature and `top_p` other than 1, and JSON without a schema. */
export function listCommon(asked: {
  temperature?: unknown;
  topP?: unknown;
  /** The client's fields, if they are named otherwise. */
  fields?: { temperature: string; top_p: string };
  /** The client's field that asks for JSON without a schema; undefined if none does. */
  jsonField?: string | undefined;
}): RequestedParameter[] {
  const { temperature, topP, fields = { temperature: 'temperature', top_p: 'top_p' }, jsonField } = asked;
  const found: RequestedParameter[] = [];
  const add = (parameter: 'temperature' | 'top_p', value: unknown): void => {
    if (typeof value === 'number' && value !== 1) found.push({ parameter, field: fields[parameter], value });
  };
  add('temperature', temperature);
  add('top_p', topP);
  if (jsonField !== undefined) found.push({ parameter: 'json_object', field: jsonField, value: true });
  return found;
}

/** Service tiers that cost no more than the usual one, by the vendors' names; libraries and vendors add names of dearer ones. */
const usualTiers: ReadonlySet<unknown> = new Set([
  ...['auto', 'default', 'flex'],
  ...['standard', 'standard_only', 'unspecified'],
]);

/** Returns the service tier that a body asks for, unless it costs no more than the usual one. */
export function listServiceTier(field: string, value: unknown): RequestedParameter[] {
  return isSet(value) && !usualTiers.has(value) ? [{ parameter: 'service_tier', field, value }] : [];
}

/** Whether only a provider that receives the client's own body can honor the parameter. */
export function isForwardOnly({ parameter }: RequestedParameter): boolean {
  return sampling[parameter] === undefined && parameter !== 'unknown' && !isCommon(parameter);
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
