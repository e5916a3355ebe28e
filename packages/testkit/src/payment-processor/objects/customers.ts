import { allowOnly, type Params, readGroup, readMetadata, readText } from '../api/form-data.js';
import { invalid } from '../api/processor-error.js';
import { emit, need, newId, type ProcessorState, seconds } from '../processor-state.js';
import type { WireCustomer, WirePaymentMethod } from '../wire.js';
import { requirePaymentMethod } from './cards.js';

export function createCustomer(state: ProcessorState, params: Params): WireCustomer {
  allowOnly(params, ['email', 'name', 'description', 'metadata']);
  const customer: WireCustomer = {
    id: newId('cus'),
    object: 'customer',
    balance: 0,
    created: seconds(state),
    email: readText(params, 'email') ?? null,
    livemode: false,
    invoice_settings: { default_payment_method: null },
    metadata: readMetadata(params),
  };
  state.store.put(customer);
  emit(state, 'customer.created', customer);
  return customer;
}

export function updateCustomer(state: ProcessorState, id: string, params: Params): WireCustomer {
  allowOnly(params, ['email', 'metadata', 'invoice_settings']);
  const customer = need(state, 'customer', id);
  const preferred = readText(readGroup(params, 'invoice_settings'), 'default_payment_method');
  return state.store.put({
    ...customer,
    email: readText(params, 'email') ?? customer.email,
    metadata: { ...customer.metadata, ...readMetadata(params) },
    invoice_settings: { default_payment_method: preferred ?? customer.invoice_settings.default_payment_method },
  });
}

/** Newest first. */
export function cardsOfCustomer(state: ProcessorState, id: string): WirePaymentMethod[] {
  need(state, 'customer', id);
  return state.store
    .all('payment_method')
    .filter((method) => method.customer === id)
    .reverse();
}

export function attachCard(state: ProcessorState, reference: string, customer: string): WirePaymentMethod {
  const method = requirePaymentMethod(state, reference);
  if (method.customer !== null && method.customer !== customer)
    throw invalid('The payment method is attached to another customer.', 'payment_method');
  return state.store.put({ ...method, customer });
}

export function detachCard(state: ProcessorState, id: string): WirePaymentMethod {
  const method = need(state, 'payment_method', id);
  if (method.customer === null) throw invalid('The payment method is not attached to a customer.', 'payment_method');
  const customer = need(state, 'customer', method.customer);
  if (customer.invoice_settings.default_payment_method === id)
    state.store.put({ ...customer, invoice_settings: { default_payment_method: null } });
  return state.store.put({ ...method, customer: null });
}
