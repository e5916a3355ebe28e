import {
  allowOnly,
  type Params,
  readBoolean,
  readGroup,
  readMetadata,
  readNumber,
  readText,
} from '../api/form-data.js';
import { exists, invalid } from '../api/processor-error.js';
import { need, newId, type ProcessorState, seconds } from '../processor-state.js';
import type { WirePrice, WireProduct } from '../wire.js';

export function createProduct(state: ProcessorState, params: Params): WireProduct {
  allowOnly(params, ['id', 'name', 'active', 'description', 'metadata']);
  const name = readText(params, 'name');
  if (!name) throw invalid('Missing required param: name.', 'name');
  const id = readText(params, 'id');
  if (id !== undefined && state.store.get('product', id)) throw exists('Product', id);
  return putProduct(state, id ?? newId('prod'), name, params);
}

export function updateProduct(state: ProcessorState, id: string, params: Params): WireProduct {
  allowOnly(params, ['name', 'active', 'metadata']);
  const before = need(state, 'product', id);
  const active = readBoolean(params, 'active') ?? before.active;
  return state.store.put({ ...before, active, name: readText(params, 'name') ?? before.name });
}

/** As the dashboard archives a price: subscriptions keep it, new ones cannot have it. */
export function updatePrice(state: ProcessorState, id: string, params: Params): WirePrice {
  allowOnly(params, ['active', 'nickname', 'metadata']);
  const before = need(state, 'price', id);
  return state.store.put({ ...before, active: readBoolean(params, 'active') ?? before.active });
}

function putProduct(state: ProcessorState, id: string, name: string, params: Params): WireProduct {
  return state.store.put({
    id,
    object: 'product',
    active: true,
    created: seconds(state),
    livemode: false,
    name,
    metadata: readMetadata(params),
  });
}

export function createPrice(state: ProcessorState, params: Params): WirePrice {
  allowOnly(params, [
    'currency',
    'unit_amount',
    'recurring',
    'product',
    'product_data',
    'lookup_key',
    'nickname',
    'metadata',
  ]);
  const currency = readText(params, 'currency');
  const amount = readNumber(params, 'unit_amount');
  if (!currency) throw invalid('Missing required param: currency.', 'currency');
  if (amount === undefined || amount < 0) throw invalid('Invalid non-negative integer', 'unit_amount');
  const product = readText(params, 'product');
  const data = readGroup(params, 'product_data');
  if (!product && !data) throw invalid('Missing required param: product.', 'product');
  if (product) need(state, 'product', product, 'product');
  const key = readText(params, 'lookup_key');
  if (key && state.store.all('price').some(({ lookup_key, active }) => active && lookup_key === key))
    throw invalid(`A price (\`${key}\`) already uses that lookup key.`, 'lookup_key');
  const price = buildPrice(state, params, currency, amount);
  if (data) putProduct(state, price.product, readText(data, 'name') ?? 'Product', data);
  return state.store.put(price);
}

/** Without storing it: for prices that are part of a checkout request. */
export function buildPrice(state: ProcessorState, params: Params, currency: string, amount: number): WirePrice {
  const interval = readText(readGroup(params, 'recurring'), 'interval');
  if (interval !== undefined && interval !== 'month' && interval !== 'year')
    throw invalid('Invalid recurring[interval]: must be one of month or year', 'recurring[interval]');
  return {
    id: newId('price'),
    object: 'price',
    active: true,
    created: seconds(state),
    currency: currency.toLowerCase(),
    livemode: false,
    lookup_key: readText(params, 'lookup_key') ?? null,
    product: readText(params, 'product') ?? newId('prod'),
    recurring: interval === undefined ? null : { interval, interval_count: 1, usage_type: 'licensed' },
    type: interval === undefined ? 'one_time' : 'recurring',
    unit_amount: amount,
    metadata: readMetadata(params),
  };
}
