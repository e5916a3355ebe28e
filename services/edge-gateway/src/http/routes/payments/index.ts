import { endpoints } from '../../server/endpoints.js';
import { confirmCardSetup } from './cards/confirm-card-setup.js';
import { confirmCardVerification } from './cards/confirm-card-verification.js';
import { createCardSetupCheckout } from './cards/create-card-setup-checkout.js';
import { getCardVerification } from './cards/get-card-verification.js';
import { startCardSetup } from './cards/start-card-setup.js';
import { startCardVerification } from './cards/start-card-verification.js';
import { listProjectPayments } from './list-project-payments.js';
import { receiveStripeWebhook } from './receive-stripe-webhook.js';
import { getPayment } from './refunds/get-payment.js';
import { refundPayment } from './refunds/refund-payment.js';
import { showCheckoutReturn } from './show-checkout-return.js';
import { createMyBillingPortal } from './subscriptions/create-my-billing-portal.js';
import { createMyCheckout } from './subscriptions/create-my-checkout.js';
import { createTierCheckout } from './subscriptions/create-tier-checkout.js';
import { resumeMySubscription } from './subscriptions/resume-my-subscription.js';
import { subscribeCustomer } from './subscriptions/subscribe-customer.js';
import { createAccountTopUp } from './top-ups/create-account-top-up.js';
import { deleteAutoTopUp } from './top-ups/delete-auto-top-up.js';
import { getAccountTopUp } from './top-ups/get-account-top-up.js';
import { getAutoTopUp } from './top-ups/get-auto-top-up.js';
import { listAccountTopUps } from './top-ups/list-account-top-ups.js';
import { setAutoTopUp } from './top-ups/set-auto-top-up.js';
import { topUpCustomer } from './top-ups/top-up-customer.js';
import { topUpMe } from './top-ups/top-up-me.js';

export const paymentRouter = endpoints(
  createTierCheckout,
  subscribeCustomer,
  createMyCheckout,
  createMyBillingPortal,
  resumeMySubscription,
  listProjectPayments,
  getPayment,
  refundPayment,
  topUpMe,
  topUpCustomer,
  createAccountTopUp,
  listAccountTopUps,
  getAccountTopUp,
  getAutoTopUp,
  setAutoTopUp,
  deleteAutoTopUp,
  startCardSetup,
  createCardSetupCheckout,
  confirmCardSetup,
  startCardVerification,
  getCardVerification,
  confirmCardVerification,
  receiveStripeWebhook,
  showCheckoutReturn,
);
