import { defineRoute } from '../../../exchange/route.js';
import { customerParams } from '../../customers/params.js';
import { topUpWallet, walletTopUpRoute } from './top-up-wallet.js';

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
