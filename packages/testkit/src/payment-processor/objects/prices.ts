import { allowOnly, groupOf, metadataOf, numberOf, type Params, textOf } from '../api/form-data.js';
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
  const currency = textOf(params, 'currency');
  const amount = numberOf(params, 'unit_amount');
  if (!currency) throw invalid('Missing required param: currency.', 'currency');
  if (amount === undefined || amount < 0) throw invalid('Invalid non-negative integer', 'unit_amount');
  if (!textOf(params, 'product') && !groupOf(params, 'product_data'))
    throw invalid('Missing required param: product.', 'product');
  return state.store.put(priceOf(state, params, currency, amount));
}

/** Without keeping it: prices that a checkout brings along. */
export function priceOf(state: ProcessorState, params: Params, currency: string, amount: number): WirePrice {
  const interval = textOf(groupOf(params, 'recurring'), 'interval');
  if (interval !== undefined && interval !== 'month' && interval !== 'year')
    throw invalid('Invalid recurring[interval]: must be one of month or year', 'recurring[interval]');
  return {
    id: newId('price'),
    object: 'price',
    active: true,
    created: seconds(state),
    currency: currency.toLowerCase(),
    livemode: false,
    lookup_key: textOf(params, 'lookup_key') ?? null,
    product: textOf(params, 'product') ?? newId('prod'),
    recurring: interval === undefined ? null : { interval, interval_count: 1, usage_type: 'licensed' },
    type: interval === undefined ? 'one_time' : 'recurring',
    unit_amount: amount,
    metadata: metadataOf(params),
  };
}
