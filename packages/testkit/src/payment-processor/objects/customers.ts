import { allowOnly, groupOf, metadataOf, type Params, textOf } from '../api/form-data.js';
import { invalid } from '../api/processor-error.js';
import type { WireCustomer, WirePaymentMethod } from '../wire.js';
import { emit, need, newId, seconds, type World } from '../world.js';
import { paymentMethodOf } from './cards.js';

export function createCustomer(world: World, params: Params): WireCustomer {
  allowOnly(params, ['email', 'name', 'description', 'metadata']);
  const customer: WireCustomer = {
    id: newId('cus'),
    object: 'customer',
    balance: 0,
    created: seconds(world),
    email: textOf(params, 'email') ?? null,
    livemode: false,
    invoice_settings: { default_payment_method: null },
    metadata: metadataOf(params),
  };
  world.store.put(customer);
  emit(world, 'customer.created', customer);
  return customer;
}

export function updateCustomer(world: World, id: string, params: Params): WireCustomer {
  allowOnly(params, ['email', 'metadata', 'invoice_settings']);
  const customer = need(world, 'customer', id);
  const preferred = textOf(groupOf(params, 'invoice_settings'), 'default_payment_method');
  return world.store.put({
    ...customer,
    email: textOf(params, 'email') ?? customer.email,
    metadata: { ...customer.metadata, ...metadataOf(params) },
    invoice_settings: { default_payment_method: preferred ?? customer.invoice_settings.default_payment_method },
  });
}

/** Newest first. */
export function cardsOfCustomer(world: World, id: string): WirePaymentMethod[] {
  need(world, 'customer', id);
  return world.store
    .all('payment_method')
    .filter((method) => method.customer === id)
    .reverse();
}

export function attachCard(world: World, reference: string, customer: string): WirePaymentMethod {
  const method = paymentMethodOf(world, reference);
  if (method.customer !== null && method.customer !== customer)
    throw invalid('The payment method is attached to another customer.', 'payment_method');
  return world.store.put({ ...method, customer });
}

export function detachCard(world: World, id: string): WirePaymentMethod {
  const method = need(world, 'payment_method', id);
  if (method.customer === null) throw invalid('The payment method is not attached to a customer.', 'payment_method');
  const customer = need(world, 'customer', method.customer);
  if (customer.invoice_settings.default_payment_method === id)
    world.store.put({ ...customer, invoice_settings: { default_payment_method: null } });
  return world.store.put({ ...method, customer: null });
}
