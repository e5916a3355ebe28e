import { endpoints } from '../../server/endpoints.js';
import {
  confirmCardSetup,
  confirmCardVerification,
  createCardSetupCheckout,
  getCardVerification,
  startCardSetup,
  startCardVerification,
} from './cards.js';
import { receiveStripeWebhook, showCheckoutReturn } from './checkouts.js';
import { listProjectPayments } from './list-project-payments.js';
import { getPayment, refundPayment } from './refunds.js';
import {
  createMyBillingPortal,
  createMyCheckout,
  createTierCheckout,
  resumeMySubscription,
  subscribeCustomer,
} from './subscriptions.js';
import {
  createAccountTopUp,
  deleteAutoTopUp,
  getAccountTopUp,
  getAutoTopUp,
  listAccountTopUps,
  setAutoTopUp,
  topUpCustomer,
  topUpMe,
} from './top-ups.js';

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
