import {
  balanceHistorySchema,
  balanceSchema,
  customerEnvelopeSchema,
  subscriptionSchema,
  tierSchema,
  usageSchema,
} from '@tollgate/api/billing';
import { nextCursor, pageQuery } from '@tollgate/api/values';
import { AppError } from '@tollgate/errors';
import { z } from 'zod';
import { defineRoute } from '../../exchange/route.js';
import { tierJson } from '../tiers/tier-json.js';
import { balanceEntryJson, balanceJson, usageJson } from './billing.js';
import { envelopeJson, subscriptionJson } from './customer-json.js';

export const getMe = defineRoute({
  method: 'GET',
  path: '/customers/me',
  tag: 'Customer self-service',
  summary: 'Get your profile, subscription and tier',
  operationId: 'getMe',
  description: 'Returns the customer of the token, its subscription and its tier.',
  auth: ['customer'],
  success: { status: 200, schema: customerEnvelopeSchema.extend({ tier: tierSchema.nullable() }) },
  refusals: [404],
  handler: async ({ principal, call }, ctx) => {
    const { envelope } = await ctx.clients.billing.getCustomer(
      { by: { case: 'id', value: principal.customerId } },
      call,
    );
    const tierId = envelope?.subscription?.tierId;
    const tier = tierId
      ? (await ctx.clients.billing.getTier({ by: { case: 'id', value: tierId } }, call)).tier
      : undefined;
    return { body: { ...envelopeJson(envelope), tier: tier ? tierJson(tier) : null } };
  },
});

export const getMyBalance = defineRoute({
  method: 'GET',
  path: '/customers/me/balance',
  tag: 'Customer self-service',
  summary: 'Get your prepaid wallet',
  operationId: 'getMyBalance',
  description: 'The wallet pays for requests on pay-as-you-go tiers.',
  auth: ['customer'],
  success: { status: 200, schema: balanceSchema },
  refusals: [400, 404],
  handler: async ({ principal, call }, ctx) => ({
    body: balanceJson(await ctx.clients.billing.getCustomerBalance({ customerId: principal.customerId }, call)),
  }),
});

export const listMyBalanceHistory = defineRoute({
  method: 'GET',
  path: '/customers/me/balance/history',
  tag: 'Customer self-service',
  summary: 'List the transactions of your wallet, newest first',
  operationId: 'listMyBalanceHistory',
  description: 'Top-ups, grants, charges and refunds, each with the balance after it.',
  auth: ['customer'],
  query: pageQuery(50, 200),
  success: { status: 200, schema: balanceHistorySchema },
  refusals: [404],
  handler: async ({ principal, query, call }, ctx) => {
    const { entries, hasMore } = await ctx.clients.billing.listBalanceHistory(
      { customerId: principal.customerId, ...query },
      call,
    );
    return { body: { entries: entries.map(balanceEntryJson), ...nextCursor(query.offset, entries.length, hasMore) } };
  },
});

export const getMyUsage = defineRoute({
  method: 'GET',
  path: '/customers/me/usage',
  tag: 'Customer self-service',
  summary: 'Get your usage in the current billing window',
  operationId: 'getMyUsage',
  description:
    'Requests, tokens and cost in the current window, with the limit of your tier and the usage of each day.',
  auth: ['customer'],
  success: { status: 200, schema: z.object({ usage: usageSchema }) },
  refusals: [404],
  handler: async ({ principal, call }, ctx) => ({
    body: { usage: usageJson(await ctx.clients.billing.getCustomerUsage({ customerId: principal.customerId }, call)) },
  }),
});

export const getMySubscription = defineRoute({
  method: 'GET',
  path: '/customers/me/subscription',
  tag: 'Customer self-service',
  summary: 'Get your subscription',
  operationId: 'getMySubscription',
  description: 'The subscription names your tier, its price and the current period.',
  auth: ['customer'],
  success: { status: 200, schema: z.object({ subscription: subscriptionSchema }) },
  refusals: [404],
  handler: async ({ principal, call }, ctx) => {
    const { envelope } = await ctx.clients.billing.getCustomer(
      { by: { case: 'id', value: principal.customerId } },
      call,
    );
    if (!envelope?.subscription) throw new AppError('NOT_FOUND', 'no subscription');
    return { body: { subscription: subscriptionJson(envelope.subscription) } };
  },
});
