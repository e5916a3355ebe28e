import { defineRoute } from '../../../exchange/route.js';
import { topUpWallet, walletTopUpRoute } from './top-up-wallet.js';

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
