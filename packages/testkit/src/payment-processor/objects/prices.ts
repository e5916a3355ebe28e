import { allowOnly, type Params, readGroup, readMetadata, readNumber, readText } from '../api/form-data.js';
import { invalid } from '../api/processor-error.js';
import { newId, type ProcessorState, seconds } from '../processor-state.js';
import type { WirePrice } from '../wire.js';

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
  if (!readText(params, 'product') && !readGroup(params, 'product_data'))
    throw invalid('Missing required param: product.', 'product');
  return state.store.put(buildPrice(state, params, currency, amount));
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
