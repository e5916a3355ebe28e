import { createSession, expireSession, shown } from '../objects/checkout-sessions.js';
import { attachCard, cardsOfCustomer, createCustomer, detachCard, updateCustomer } from '../objects/customers.js';
import { previewInvoice } from '../objects/invoice-preview.js';
import { createPaymentIntent } from '../objects/payment-intents.js';
import { createPortalSession } from '../objects/portal-sessions.js';
import { createPrice, createProduct, updatePrice, updateProduct } from '../objects/prices.js';
import { createRefund } from '../objects/reversals.js';
import { confirmSetupIntent, createSetupIntent } from '../objects/setup-intents.js';
import {
  cancelSubscription,
  createSubscription,
  deleteCustomer,
  updateSubscription,
} from '../objects/subscriptions.js';
import { need, type ProcessorState } from '../processor-state.js';
import type { WireList, WireObject } from '../wire.js';
import { type Params, readGroup, readList, readNumber, readText } from './form-data.js';

type Handler = (state: ProcessorState, params: Params, id: string) => object;

interface ApiRoute {
  method: 'GET' | 'POST' | 'DELETE';
  pattern: RegExp;
  handle: Handler;
}

/** The part of the processor's API that our services and tests use. */
export const API_ROUTES: readonly ApiRoute[] = [
  route('POST', '/v1/customers', (state, params) => createCustomer(state, params)),
  route('GET', '/v1/customers/:id', (state, _, id) => need(state, 'customer', id)),
  route('POST', '/v1/customers/:id', (state, params, id) => updateCustomer(state, id, params)),
  route('DELETE', '/v1/customers/:id', (state, _, id) => deleteCustomer(state, id)),
  route('GET', '/v1/customers/:id/payment_methods', (state, params, id) =>
    page(params, `/v1/customers/${id}/payment_methods`, cardsOfCustomer(state, id)),
  ),
  route('GET', '/v1/payment_methods/:id', (state, _, id) => need(state, 'payment_method', id)),
  route('POST', '/v1/payment_methods/:id/attach', (state, params, id) =>
    attachCard(state, id, need(state, 'customer', readText(params, 'customer') ?? '', 'customer').id),
  ),
  route('POST', '/v1/payment_methods/:id/detach', (state, _, id) => detachCard(state, id)),

  route('POST', '/v1/products', (state, params) => createProduct(state, params)),
  route('GET', '/v1/products/:id', (state, _, id) => need(state, 'product', id)),
  route('POST', '/v1/products/:id', (state, params, id) => updateProduct(state, id, params)),
  route('POST', '/v1/prices', (state, params) => createPrice(state, params)),
  route('GET', '/v1/prices/:id', (state, _, id) => need(state, 'price', id)),
  route('POST', '/v1/prices/:id', (state, params, id) => updatePrice(state, id, params)),
  list('/v1/prices', 'price', (params) => {
    const keys = readList(params, 'lookup_keys');
    return (price) => keys.length === 0 || keys.includes(price.lookup_key ?? '');
  }),

  route('POST', '/v1/checkout/sessions', (state, params) => createSession(state, params)),
  route('GET', '/v1/checkout/sessions/:id', (state, _, id) => shown(state, need(state, 'checkout.session', id))),
  list('/v1/checkout/sessions', 'checkout.session', (params) => {
    const isTheirs = ofCustomer(params);
    const status = readText(params, 'status');
    return (session) => isTheirs(session) && (status === undefined || session.status === status);
  }),
  route('POST', '/v1/checkout/sessions/:id/expire', (state, _, id) => expireSession(state, id)),

  route('POST', '/v1/billing_portal/sessions', (state, params) => createPortalSession(state, params)),

  route('POST', '/v1/payment_intents', (state, params) => createPaymentIntent(state, params)),
  route('GET', '/v1/payment_intents/:id', (state, _, id) => need(state, 'payment_intent', id)),
  list('/v1/payment_intents', 'payment_intent', ofCustomer),
  route('GET', '/v1/charges/:id', (state, _, id) => need(state, 'charge', id)),

  route('POST', '/v1/setup_intents', (state, params) => createSetupIntent(state, params)),
  route('GET', '/v1/setup_intents/:id', (state, _, id) => need(state, 'setup_intent', id)),
  route('POST', '/v1/setup_intents/:id/confirm', (state, params, id) => confirmSetupIntent(state, id, params)),

  route('POST', '/v1/subscriptions', (state, params) => createSubscription(state, params)),
  route('GET', '/v1/subscriptions/:id', (state, _, id) => need(state, 'subscription', id)),
  route('POST', '/v1/subscriptions/:id', (state, params, id) => updateSubscription(state, id, params)),
  route('DELETE', '/v1/subscriptions/:id', (state, params, id) => cancelSubscription(state, id, params)),
  list('/v1/subscriptions', 'subscription', (params) => {
    const isTheirs = ofCustomer(params);
    const showsAll = readText(params, 'status') === 'all';
    return (subscription) => isTheirs(subscription) && (showsAll || subscription.status !== 'canceled');
  }),
  route('POST', '/v1/invoices/create_preview', (state, params) => previewInvoice(state, params)),
  route('GET', '/v1/invoices/:id', (state, _, id) => need(state, 'invoice', id)),
  list('/v1/invoices', 'invoice', (params) => {
    const isTheirs = ofCustomer(params);
    const subscription = readText(params, 'subscription');
    return (invoice) =>
      isTheirs(invoice) &&
      (subscription === undefined || invoice.parent.subscription_details.subscription === subscription);
  }),
  list('/v1/invoice_payments', 'invoice_payment', (params) => {
    const invoice = readText(params, 'invoice');
    const status = readText(params, 'status');
    const intent = readText(readGroup(params, 'payment'), 'payment_intent');
    return (payment) =>
      (invoice === undefined || payment.invoice === invoice) &&
      (status === undefined || payment.status === status) &&
      (intent === undefined || payment.payment.payment_intent === intent);
  }),

  route('POST', '/v1/refunds', (state, params) => createRefund(state, params)),
  list('/v1/refunds', 'refund', ofPayment),
  list('/v1/disputes', 'dispute', ofPayment),
  list('/v1/events', 'event', () => () => true),
];

function route(method: ApiRoute['method'], path: string, handle: Handler): ApiRoute {
  return { method, pattern: new RegExp(`^${path.replace(':id', '([^/]+)')}$`), handle };
}

function list<Name extends WireObject['object']>(
  path: string,
  kind: Name,
  filterOf: (params: Params) => (object: Extract<WireObject, { object: Name }>) => boolean,
): ApiRoute {
  return route('GET', path, (state, params) => {
    const since = readNumber(readGroup(params, 'created'), 'gte') ?? 0;
    const isWanted = filterOf(params);
    const found = state.store
      .all(kind)
      .filter((object) => isWanted(object as Extract<WireObject, { object: Name }>))
      .filter((object) => !('created' in object) || object.created >= since);
    return page(params, path, found.reverse());
  });
}

function ofCustomer(params: Params): (object: { customer: string | null }) => boolean {
  const customer = readText(params, 'customer');
  return (object) => customer === undefined || object.customer === customer;
}

function ofPayment(params: Params): (object: { payment_intent: string }) => boolean {
  const payment = readText(params, 'payment_intent');
  return (object) => payment === undefined || object.payment_intent === payment;
}

/** Newest first, as the processor lists them. */
function page<T extends { id: string }>(params: Params, url: string, found: T[]): WireList<T> {
  const limit = readNumber(params, 'limit') ?? 10;
  const after = readText(params, 'starting_after');
  const start = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1;
  const data = found.slice(start, start + limit);
  return { object: 'list', data, has_more: found.length > start + limit, url };
}
