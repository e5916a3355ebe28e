import {
  accountTopUpInputSchema,
  accountTopUpSchema,
  autoTopUpInputSchema,
  autoTopUpSchema,
  walletTopUpInputSchema,
  walletTopUpSchema,
} from '@tollgate/api/billing';
import { nextCursor, pageQuery } from '@tollgate/api/values';
import type { Call } from '@tollgate/rpc';
import { z } from 'zod';
import type { Context } from '../../../context.js';
import { defineRoute, type JsonResult } from '../../exchange/route.js';
import { customerParams } from '../customers/customers.js';
import { returnUrls } from './checkouts.js';
import { accountTopUpJson, autoTopUpJson, walletTopUpJson } from './payments-json.js';

/** Fields that the routes of both callers share. */
const walletTopUpRoute = {
  method: 'POST',
  body: walletTopUpInputSchema,
  success: { status: 201, schema: walletTopUpSchema },
  idempotent: true,
} as const;

/** Creates a checkout that tops up the customer's wallet. */
async function topUpWallet(
  { clients }: Pick<Context, 'clients'>,
  customerId: string,
  body: z.output<typeof walletTopUpInputSchema>,
  call: Call,
): Promise<JsonResult> {
  const { topUp } = await clients.payments.createWalletTopUp(
    {
      customerId,
      creditAmountCents: BigInt(body.credit_amount_cents),
      successUrl: body.success_url,
      cancelUrl: body.cancel_url,
    },
    call,
  );
  return { status: 201, body: walletTopUpJson(topUp) };
}

export const topUpCustomer = defineRoute({
  ...walletTopUpRoute,
  path: '/customers/:id/topup',
  tag: 'Payments',
  summary: "Create a checkout that tops up a customer's wallet",
  operationId: 'topUpCustomerWallet',
  description: 'Open `url` in the browser of the customer. The wallet is credited when the payment is complete.',
  auth: ['secret_key'],
  params: customerParams,
  refusals: [409],
  handler: ({ params, body, call }, ctx) => topUpWallet(ctx, params.id, body, call),
});

export const topUpMe = defineRoute({
  ...walletTopUpRoute,
  path: '/customers/me/topup',
  tag: 'Customer self-service',
  summary: "Create a checkout that tops up the customer's wallet",
  operationId: 'topUpMyWallet',
  description: 'Open `url` in your browser. The wallet is credited when the payment is complete.',
  auth: ['customer'],
  refusals: [404, 409],
  handler: ({ principal, body, call }, ctx) => topUpWallet(ctx, principal.customerId, body, call),
});

export const createAccountTopUp = defineRoute({
  method: 'POST',
  path: '/account/topup',
  tag: 'Account',
  summary: "Create a checkout that tops up the owner's prepaid balance",
  operationId: 'createAccountTopUp',
  description: 'Open `checkout_url` in a browser. The balance is credited when the payment is complete.',
  auth: ['owner'],
  body: accountTopUpInputSchema,
  success: { status: 201, schema: accountTopUpSchema },
  refusals: [402, 409],
  idempotent: true,
  handler: async (input, ctx) => {
    const { body, call } = input;
    const req = { amountCents: BigInt(body.amount_cents), ...returnUrls(ctx, input, body) };
    const { topUp } = await ctx.clients.payments.createAccountTopUp(req, call);
    return { status: 201, body: accountTopUpJson(topUp) };
  },
});

export const getAccountTopUp = defineRoute({
  method: 'GET',
  path: '/account/topups/:id',
  tag: 'Account',
  summary: "Get one of the owner's top-ups",
  operationId: 'getAccountTopUp',
  description: 'Poll it after a checkout: `completed` means that the balance was credited.',
  auth: ['owner'],
  params: z.object({ id: z.string() }),
  success: { status: 200, schema: accountTopUpSchema },
  handler: async ({ params, call }, ctx) => ({
    body: accountTopUpJson((await ctx.clients.payments.getAccountTopUp({ id: params.id }, call)).topUp),
  }),
});

export const listAccountTopUps = defineRoute({
  method: 'GET',
  path: '/account/topups',
  tag: 'Account',
  summary: "List the owner's top-ups, including automatic ones, newest first",
  operationId: 'listAccountTopUps',
  description: 'Each entry has its status and what was refunded.',
  auth: ['owner'],
  query: pageQuery(50, 200),
  success: {
    status: 200,
    schema: z.object({ topups: z.array(accountTopUpSchema), next_cursor: z.string().optional() }),
  },
  handler: async ({ query, call }, ctx) => {
    const { topUps, hasMore } = await ctx.clients.payments.listAccountTopUps(query, call);
    return { body: { topups: topUps.map(accountTopUpJson), ...nextCursor(query.offset, topUps.length, hasMore) } };
  },
});

export const getAutoTopUp = defineRoute({
  method: 'GET',
  path: '/account/billing/auto-topup',
  tag: 'Account',
  summary: 'Get the settings of automatic top-ups',
  operationId: 'getAutoTopUp',
  description: 'Returns threshold, amount, limits and the stored card.',
  auth: ['owner'],
  success: { status: 200, schema: autoTopUpSchema },
  handler: async ({ call }, ctx) => ({
    body: autoTopUpJson((await ctx.clients.payments.getAutoTopUp({}, call)).autoTopUp),
  }),
});

export const setAutoTopUp = defineRoute({
  method: 'PUT',
  path: '/account/billing/auto-topup',
  tag: 'Account',
  summary: 'Set up automatic top-ups; 409 when no card is stored',
  operationId: 'setAutoTopUp',
  description: 'The stored card is charged when the balance falls below the threshold.',
  auth: ['owner'],
  body: autoTopUpInputSchema,
  success: { status: 200, schema: autoTopUpSchema },
  refusals: [409],
  audit: 'auto_topup.updated',
  handler: async ({ body, call }, ctx) => {
    const req = {
      enabled: body.enabled,
      thresholdCents: BigInt(body.threshold_cents),
      amountCents: BigInt(body.amount_cents),
    };
    const { autoTopUp } = await ctx.clients.payments.setAutoTopUp(req, call);
    const changes = Object.entries(body).map(([field, value]) => ({ field, after: String(value) }));
    return { body: autoTopUpJson(autoTopUp), audited: { changes } };
  },
});

export const deleteAutoTopUp = defineRoute({
  method: 'DELETE',
  path: '/account/billing/auto-topup',
  tag: 'Account',
  summary: 'Delete the settings of automatic top-ups and their card',
  operationId: 'deleteAutoTopUp',
  description: 'The card is removed from the payment processor.',
  auth: ['owner'],
  success: { status: 204 },
  audit: 'auto_topup.deleted',
  handler: async ({ call }, ctx) => {
    await ctx.clients.payments.deleteAutoTopUp({}, call);
    return { status: 204 };
  },
});
