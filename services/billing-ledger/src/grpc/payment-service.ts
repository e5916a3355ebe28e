import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type ChangeTierRequest,
  type ListProjectPaymentsRequest,
  PaymentService,
  type PreviewTierChangeRequest,
  type RefundPaymentRequest,
  type StartCardSetupCheckoutRequest,
} from '@tollgate/contracts/billing/v1/payments_pb.js';
import { type Call, type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { deleteAutoTopUp, getAutoTopUp, setAutoTopUp } from '../operations/payments/cards/auto-top-up-settings.js';
import { createBillingPortal } from '../operations/payments/cards/billing-portal.js';
import { confirmCardSetup, startCardSetup, startCardSetupCheckout } from '../operations/payments/cards/card-setup.js';
import {
  confirmCardVerification,
  getCardVerification,
  startCardVerification,
} from '../operations/payments/cards/card-verification.js';
import { createCheckout } from '../operations/payments/checkouts/create-checkout.js';
import { createAccountTopUp, createWalletTopUp } from '../operations/payments/checkouts/create-top-up.js';
import { listPayments } from '../operations/payments/checkouts/list-payments.js';
import { getAccountTopUp, listAccountTopUps } from '../operations/payments/checkouts/read-top-ups.js';
import { closeProject } from '../operations/payments/orders/close-project.js';
import { migrateTierPrice } from '../operations/payments/prices/migrate-tier-price.js';
import { readPayment } from '../operations/payments/refunds/read-payment.js';
import { requestRefund } from '../operations/payments/refunds/request-refund.js';
import { cancelSubscription } from '../operations/payments/tier-changes/cancel-subscription.js';
import { changeTier } from '../operations/payments/tier-changes/change-tier.js';
import { previewTierChange } from '../operations/payments/tier-changes/preview-tier-change.js';
import { resumeSubscription } from '../operations/payments/tier-changes/resume-subscription.js';
import { receiveWebhookEvent } from '../operations/payments/webhook-events/receive-webhook-event.js';
import {
  autoTopUpToProto,
  cardVerificationToProto,
  paymentDetailToProto,
  paymentToProto,
  refundToProto,
  sessionToProto,
  tierChangePreviewToProto,
  topUpToProto,
} from './payments-to-proto.js';
import { subscriptionToProto } from './to-proto.js';

/** Lists the RPCs that use the card processor. */
export function paymentService(ctx: Context): Registration {
  return register(PaymentService, {
    createCheckout: (req, call) => createCheckout(ctx, call.requirePrincipal(), req),
    changeTier: (req, call) => change(ctx, req, call),
    previewTierChange: (req, call) => preview(ctx, req, call),
    createBillingPortal: (req, call) => createBillingPortal(ctx, call.requirePrincipal(), req),
    cancelSubscription: async (req, call) => {
      await cancelSubscription(ctx, call.requirePrincipal(), req.customerId);
      return {};
    },
    migrateTierPrice: (req, call) => migrateTierPrice(ctx, call.requirePrincipal(), req),
    resumeSubscription: (req, call) => resume(ctx, req.customerId, call),

    createWalletTopUp: async (req, call) => ({
      topUp: topUpToProto(await createWalletTopUp(ctx, call.requirePrincipal(), req)),
    }),
    createAccountTopUp: async (req, call) => ({
      topUp: topUpToProto(await createAccountTopUp(ctx, call.requirePrincipal(), req)),
    }),
    listAccountTopUps: async (req, call) => {
      const { topUps, hasMore } = await listAccountTopUps(ctx, call.requirePrincipal(), req);
      return { topUps: topUps.map(topUpToProto), hasMore };
    },
    getAccountTopUp: async (req, call) => ({
      topUp: topUpToProto(await getAccountTopUp(ctx, call.requirePrincipal(), req.id)),
    }),

    listProjectPayments: (req, call) => readPayments(ctx, req, call),
    getProjectPayment: (req, call) => readOnePayment(ctx, req.id, call),
    refundPayment: (req, call) => refund(ctx, req, call),

    getAutoTopUp: async (_req, call) => ({
      autoTopUp: autoTopUpToProto(await getAutoTopUp(ctx, call.requirePrincipal()), ctx.config.topUps),
    }),
    setAutoTopUp: async (req, call) => ({
      autoTopUp: autoTopUpToProto(await setAutoTopUp(ctx, call.requirePrincipal(), req), ctx.config.topUps),
    }),
    deleteAutoTopUp: async (_req, call) => {
      await deleteAutoTopUp(ctx, call.requirePrincipal());
      return {};
    },
    startCardSetup: async (_req, call) => {
      const intent = await startCardSetup(ctx, call.requirePrincipal());
      return { setupIntentId: intent.id, clientSecret: intent.client_secret ?? '', status: intent.status };
    },
    startCardSetupCheckout: (req, call) => openCardPage(ctx, req, call),
    confirmCardSetup: async (req, call) => ({
      autoTopUp: autoTopUpToProto(
        await confirmCardSetup(ctx, call.requirePrincipal(), req.setupIntentId),
        ctx.config.topUps,
      ),
    }),

    startCardVerification: async (req, call) =>
      sessionToProto(await startCardVerification(ctx, call.requirePrincipal(), req)),
    getCardVerification: async (_req, call) => ({
      verification: cardVerificationToProto(await getCardVerification(ctx, call.requirePrincipal())),
    }),
    confirmCardVerification: async (req, call) => ({
      verification: cardVerificationToProto(
        await confirmCardVerification(ctx, call.requirePrincipal(), req.checkoutSessionId),
      ),
    }),

    closeProject: async (_req, call) => {
      await closeProject(ctx, call.requirePrincipal());
      return {};
    },
    receiveNotice: async (req) => {
      await receiveWebhookEvent(ctx, req);
      return {};
    },
  });
}

async function change(ctx: Context, req: ChangeTierRequest, call: Call) {
  const { customer, action } = await changeTier(ctx, call.requirePrincipal(), req);
  return { action, ...(customer.subscription && { subscription: subscriptionToProto(customer.subscription) }) };
}

async function resume(ctx: Context, customerId: string, call: Call) {
  const { subscription } = await resumeSubscription(ctx, call.requirePrincipal(), customerId);
  return subscription ? { subscription: subscriptionToProto(subscription) } : {};
}

async function readPayments(ctx: Context, req: ListProjectPaymentsRequest, call: Call) {
  const { payments, hasMore, totals } = await listPayments(ctx, call.requirePrincipal(), req);
  return { payments: payments.map(paymentToProto), hasMore, totals };
}

async function readOnePayment(ctx: Context, id: string, call: Call) {
  return paymentDetailToProto(await readPayment(ctx, call.requirePrincipal(), id));
}

async function refund(ctx: Context, req: RefundPaymentRequest, call: Call) {
  const requested = await requestRefund(ctx, call.requirePrincipal(), req);
  return { refund: refundToProto(requested.refund, requested.order), applied: requested.applied };
}

async function preview(ctx: Context, req: PreviewTierChangeRequest, call: Call) {
  return tierChangePreviewToProto(await previewTierChange(ctx, call.requirePrincipal(), req));
}

async function openCardPage(ctx: Context, req: StartCardSetupCheckoutRequest, call: Call) {
  const { sessionId, url, expiresAt } = await startCardSetupCheckout(ctx, call.requirePrincipal(), req);
  return { checkoutSessionId: sessionId, checkoutUrl: url, expiresAt: timestampFromDate(expiresAt) };
}
