import { createSession, expireSession, shown } from '../objects/checkout-sessions.js';
import { attachCard, cardsOfCustomer, createCustomer, detachCard, updateCustomer } from '../objects/customers.js';
import { createPaymentIntent } from '../objects/payment-intents.js';
import { createPrice } from '../objects/prices.js';
import { createRefund } from '../objects/reversals.js';
import { confirmSetupIntent, createSetupIntent } from '../objects/setup-intents.js';
import { cancelSubscription, createSubscription, updateSubscription } from '../objects/subscriptions.js';
import type { WireList, WireObject } from '../wire.js';
import { need, type World } from '../world.js';
import { groupOf, listOf, numberOf, type Params, textOf } from './form-data.js';

type Handler = (world: World, params: Params, id: string) => object;

interface ApiRoute {
  method: 'GET' | 'POST' | 'DELETE';
  pattern: RegExp;
  handle: Handler;
}

/** The processor's interface as far as our services use it, and a person with its library may. */
export const API_ROUTES: readonly ApiRoute[] = [
  route('POST', '/v1/customers', (world, params) => createCustomer(world, params)),
  route('GET', '/v1/customers/:id', (world, _, id) => need(world, 'customer', id)),
  route('POST', '/v1/customers/:id', (world, params, id) => updateCustomer(world, id, params)),
  route('GET', '/v1/customers/:id/payment_methods', (world, params, id) =>
    page(params, `/v1/customers/${id}/payment_methods`, cardsOfCustomer(world, id)),
  ),
  route('GET', '/v1/payment_methods/:id', (world, _, id) => need(world, 'payment_method', id)),
  route('POST', '/v1/payment_methods/:id/attach', (world, params, id) =>
    attachCard(world, id, need(world, 'customer', textOf(params, 'customer') ?? '', 'customer').id),
  ),
  route('POST', '/v1/payment_methods/:id/detach', (world, _, id) => detachCard(world, id)),

  route('POST', '/v1/prices', (world, params) => createPrice(world, params)),
  route('GET', '/v1/prices/:id', (world, _, id) => need(world, 'price', id)),
  list('/v1/prices', 'price', (params) => {
    const keys = listOf(params, 'lookup_keys');
    return (price) => keys.length === 0 || keys.includes(price.lookup_key ?? '');
  }),

  route('POST', '/v1/checkout/sessions', (world, params) => createSession(world, params)),
  route('GET', '/v1/checkout/sessions/:id', (world, _, id) => shown(world, need(world, 'checkout.session', id))),
  list('/v1/checkout/sessions', 'checkout.session', (params) => {
    const isTheirs = ofCustomer(params);
    const status = textOf(params, 'status');
    return (session) => isTheirs(session) && (status === undefined || session.status === status);
  }),
  route('POST', '/v1/checkout/sessions/:id/expire', (world, _, id) => expireSession(world, id)),

  route('POST', '/v1/payment_intents', (world, params) => createPaymentIntent(world, params)),
  route('GET', '/v1/payment_intents/:id', (world, _, id) => need(world, 'payment_intent', id)),
  list('/v1/payment_intents', 'payment_intent', ofCustomer),
  route('GET', '/v1/charges/:id', (world, _, id) => need(world, 'charge', id)),

  route('POST', '/v1/setup_intents', (world, params) => createSetupIntent(world, params)),
  route('GET', '/v1/setup_intents/:id', (world, _, id) => need(world, 'setup_intent', id)),
  route('POST', '/v1/setup_intents/:id/confirm', (world, params, id) => confirmSetupIntent(world, id, params)),

  route('POST', '/v1/subscriptions', (world, params) => createSubscription(world, params)),
  route('GET', '/v1/subscriptions/:id', (world, _, id) => need(world, 'subscription', id)),
  route('POST', '/v1/subscriptions/:id', (world, params, id) => updateSubscription(world, id, params)),
  route('DELETE', '/v1/subscriptions/:id', (world, params, id) => cancelSubscription(world, id, params)),
  list('/v1/subscriptions', 'subscription', (params) => {
    const isTheirs = ofCustomer(params);
    const showsAll = textOf(params, 'status') === 'all';
    return (subscription) => isTheirs(subscription) && (showsAll || subscription.status !== 'canceled');
  }),
  route('GET', '/v1/invoices/:id', (world, _, id) => need(world, 'invoice', id)),
  list('/v1/invoices', 'invoice', (params) => {
    const isTheirs = ofCustomer(params);
    const subscription = textOf(params, 'subscription');
    return (invoice) =>
      isTheirs(invoice) &&
      (subscription === undefined || invoice.parent.subscription_details.subscription === subscription);
  }),
  list('/v1/invoice_payments', 'invoice_payment', (params) => {
    const invoice = textOf(params, 'invoice');
    const status = textOf(params, 'status');
    return (payment) =>
      (invoice === undefined || payment.invoice === invoice) && (status === undefined || payment.status === status);
  }),

  route('POST', '/v1/refunds', (world, params) => createRefund(world, params)),
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
  return route('GET', path, (world, params) => {
    const since = numberOf(groupOf(params, 'created'), 'gte') ?? 0;
    const isWanted = filterOf(params);
    const found = world.store
      .all(kind)
      .filter((object) => isWanted(object as Extract<WireObject, { object: Name }>))
      .filter((object) => !('created' in object) || object.created >= since);
    return page(params, path, found.reverse());
  });
}

function ofCustomer(params: Params): (object: { customer: string | null }) => boolean {
  const customer = textOf(params, 'customer');
  return (object) => customer === undefined || object.customer === customer;
}

function ofPayment(params: Params): (object: { payment_intent: string }) => boolean {
  const payment = textOf(params, 'payment_intent');
  return (object) => payment === undefined || object.payment_intent === payment;
}

/** The newest first, as the processor lists. */
function page<T>(params: Params, url: string, found: T[]): WireList<T> {
  const limit = numberOf(params, 'limit') ?? 10;
  return { object: 'list', data: found.slice(0, limit), has_more: found.length > limit, url };
}
