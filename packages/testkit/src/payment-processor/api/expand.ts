import type { ProcessorState } from '../processor-state.js';
import type { WireObject } from '../wire.js';
import { type Params, readList } from './form-data.js';

const KINDS: Readonly<Record<string, WireObject['object']>> = {
  cus: 'customer',
  pm: 'payment_method',
  pi: 'payment_intent',
  seti: 'setup_intent',
  ch: 'charge',
  sub: 'subscription',
  in: 'invoice',
};

/** Replaces ids by whole objects, along the paths that the request names. */
export function expanded(state: ProcessorState, object: object, params: Params): object {
  let result = object;
  for (const path of readList(params, 'expand')) {
    if (typeof path === 'string') result = expandPath(state, result, path.split('.'));
  }
  return result;
}

function expandPath(state: ProcessorState, object: object, [name, ...rest]: string[]): object {
  if (name === undefined) return object;
  const values = object as Record<string, unknown>;
  const value = values[name];
  const whole = typeof value === 'string' ? byId(state, value) : value;
  if (typeof whole !== 'object' || whole === null) return object;
  return { ...values, [name]: expandPath(state, whole, rest) };
}

function byId(state: ProcessorState, id: string): WireObject | undefined {
  const kind = KINDS[id.split('_')[0] ?? ''];
  return kind && state.store.get(kind, id);
}
