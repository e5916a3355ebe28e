import type { WireObject } from '../wire.js';
import type { World } from '../world.js';
import { listOf, type Params } from './form-data.js';

const KINDS: Readonly<Record<string, WireObject['object']>> = {
  cus: 'customer',
  pm: 'payment_method',
  pi: 'payment_intent',
  seti: 'setup_intent',
  ch: 'charge',
  sub: 'subscription',
  in: 'invoice',
};

/** Puts whole objects where ids stand, along the paths that the request names. */
export function expanded(world: World, object: object, params: Params): object {
  let result = object;
  for (const path of listOf(params, 'expand')) {
    if (typeof path === 'string') result = expandPath(world, result, path.split('.'));
  }
  return result;
}

function expandPath(world: World, object: object, [name, ...rest]: string[]): object {
  if (name === undefined) return object;
  const values = object as Record<string, unknown>;
  const value = values[name];
  const whole = typeof value === 'string' ? byId(world, value) : value;
  if (typeof whole !== 'object' || whole === null) return object;
  return { ...values, [name]: expandPath(world, whole, rest) };
}

function byId(world: World, id: string): WireObject | undefined {
  const kind = KINDS[id.split('_')[0] ?? ''];
  return kind && world.store.get(kind, id);
}
