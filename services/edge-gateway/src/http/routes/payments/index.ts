import type { Route } from '../../route.js';
import { cancelCustomerSubscription } from './cancel-customer-subscription.js';
import { changeMyTier } from './change-my-tier.js';
import { confirmCardSetup } from './confirm-card-setup.js';
import { confirmCardVerification } from './confirm-card-verification.js';
import { createAccountTopUp } from './create-account-top-up.js';
import { createMyCheckout } from './create-my-checkout.js';
import { createTierCheckout } from './create-tier-checkout.js';
import { deleteAutoTopUp } from './delete-auto-top-up.js';
import { getAccountTopUp } from './get-account-top-up.js';
import { getAutoTopUp } from './get-auto-top-up.js';
import { getCardVerification } from './get-card-verification.js';
import { listAccountTopUps } from './list-account-top-ups.js';
import { receiveStripeNotice } from './receive-stripe-notice.js';
import { setAutoTopUp } from './set-auto-top-up.js';
import { showCheckoutReturn } from './show-checkout-return.js';
import { startCardSetup } from './start-card-setup.js';
import { startCardVerification } from './start-card-verification.js';
import { subscribeCustomer } from './subscribe-customer.js';
import { topUpCustomer } from './top-up-customer.js';
import { topUpMe } from './top-up-me.js';

export const paymentRoutes: Route[] = [
  createTierCheckout,
  subscribeCustomer,
  createMyCheckout,
  changeMyTier,
  cancelCustomerSubscription,
  topUpMe,
  topUpCustomer,
  createAccountTopUp,
  listAccountTopUps,
  getAccountTopUp,
  getAutoTopUp,
  setAutoTopUp,
  deleteAutoTopUp,
  startCardSetup,
  confirmCardSetup,
  startCardVerification,
  getCardVerification,
  confirmCardVerification,
  receiveStripeNotice,
  showCheckoutReturn,
];
