import { z } from 'zod';
import { cursorQuery, queryBoolean } from '../values/paging.js';
import { storableText } from '../values/text.js';
import { dayOrMoment } from '../values/times.js';

const returnUrl = storableText(2_048);
const returnUrls = { success_url: returnUrl, cancel_url: returnUrl };
/** Default: a page of Tollgate that shows the outcome. */
const optionalReturnUrls = { success_url: returnUrl.optional(), cancel_url: returnUrl.optional() };
/** The ledger's configuration sets the bounds of amounts. */
const cents = z.int().min(-1_000_000_000_000).max(1_000_000_000_000);
const timestamp = z.iso.datetime({ offset: true });

export const tierCheckoutSchema = z.object(returnUrls);
export const subscribeCustomerSchema = z.object({ tier_id: storableText(64).min(1), ...returnUrls });
export const myCheckoutSchema = z.object({ tier_code: storableText(64).min(1), ...returnUrls });

/** CheckoutSessionResponse. */
export const checkoutSessionSchema = z.object({ session_id: z.string(), url: z.url() });

export const billingPortalInputSchema = z.object({ return_url: returnUrl });
export const billingPortalSchema = z.object({ url: z.url() });

/** ChangeTierRequest. */
export const changeTierSchema = z.object({ tier_code: storableText(64).min(1) });

export const tierChangeSchema = z.object({
  subscription: z.object({
    tier_code: z.string(),
    tier_display_name: z.string(),
    price_amount_cents: z.int().optional(),
    price_currency: z.string().optional(),
    price_interval: z.enum(['month', 'year']).optional(),
    subscription_status: z.string(),
    current_period_start: timestamp,
    current_period_end: timestamp,
  }),
  action: z.enum(['upgraded', 'downgraded', 'changed', 'unchanged', 'scheduled_cancellation']),
});

/** `GET /customers/me/change-tier` */
export const tierChangePreviewQuery = changeTierSchema;

export const tierChangePreviewSchema = z.object({
  action: z
    .enum(['upgraded', 'downgraded', 'changed', 'unchanged', 'scheduled_cancellation', 'checkout'])
    .describe(
      'what `POST /customers/me/change-tier` would do; `checkout`: buy the tier with `POST /customers/me/checkout`',
    ),
  due_now_cents: z.int(),
  credit_cents: z.int().describe('deducted from later payments'),
  currency: z.string().optional(),
  effective_at: timestamp.optional().describe('absent: at once'),
  next_amount_cents: z.int().optional().describe('the next regular payment'),
  next_at: timestamp.optional(),
  trial_days: z.int().optional(),
  lost_models: z.array(z.string()),
  added_models: z.array(z.string()),
  spend_limit_cents: z
    .object({ from: z.int().nullable(), to: z.int().nullable() })
    .optional()
    .describe('where the change moves the limit; null: no limit'),
  loses_wallet: z.boolean().describe('the wallet no longer pays when the limit is reached'),
});

const topUpStatus = z.enum(['pending', 'completed', 'expired', 'failed']);

export const walletTopUpInputSchema = z.object({ credit_amount_cents: cents, ...returnUrls });

/** `checkout_url` repeats `url`. */
export const walletTopUpSchema = z.object({
  id: z.uuid(),
  session_id: z.string(),
  url: z.url(),
  checkout_url: z.url(),
  credit_amount_cents: z.int(),
  status: topUpStatus,
});

export const accountTopUpInputSchema = z.object({ amount_cents: cents, ...optionalReturnUrls });

/** An automatic top-up has no session. */
export const accountTopUpSchema = z.object({
  id: z.uuid(),
  session_id: z.string().optional(),
  checkout_url: z.url().optional(),
  amount_cents: z.int(),
  currency: z.string(),
  status: topUpStatus,
  automatic: z.boolean(),
  reversed_cents: z.int(),
  created_at: timestamp,
  completed_at: timestamp.optional(),
});

const paymentKind = z
  .enum(['wallet_topup', 'subscription', 'renewal', 'tier_change', 'invoice', 'refund', 'dispute'])
  .describe(
    '`subscription`: the first payment; `invoice`: another invoice of the card processor; `refund`, `dispute`: of another payment',
  );
const paymentStatus = z
  .enum(['pending', 'completed', 'expired', 'failed', 'disputed', 'won', 'lost'])
  .describe('`disputed`, `won` and `lost`: of a dispute, as the owner sees it');
/** Time of creation, the end excluded. */
const paymentTimes = { from: dayOrMoment.optional(), to: dayOrMoment.optional() };

/** `GET /projects/{id}/payments` */
export const paymentListQuery = cursorQuery(50, 200).extend({
  customer_id: z.guid().optional(),
  kind: paymentKind.optional(),
  status: paymentStatus.optional(),
  ...paymentTimes,
  totals: queryBoolean.optional().describe('adds up all payments that the filters select, per currency'),
});

/** `GET /customers/me/payments` */
export const myPaymentListQuery = cursorQuery(50, 200).extend({
  kind: paymentKind.optional(),
  status: paymentStatus.optional(),
  ...paymentTimes,
});

export const paymentSchema = z.object({
  id: z.guid(),
  kind: paymentKind,
  status: paymentStatus,
  customer_id: z.guid().optional(),
  tier_id: z.guid().optional(),
  parent_id: z.guid().optional().describe('the payment that a refund or dispute is about'),
  amount_cents: z.int().optional(),
  tax_cents: z.int().optional().describe('part of the amount, as the card processor states it'),
  currency: z.string().optional(),
  period_start: timestamp.optional().describe('of what a subscription’s payment pays for'),
  period_end: timestamp.optional(),
  invoice_url: z.string().optional().describe('a page of the card processor; an unpaid invoice can be paid there'),
  receipt_url: z.string().optional().describe('a page of the card processor'),
  reversed_cents: z.int().describe('refunded or disputed'),
  failure: z.string().optional(),
  undone: z.boolean().describe('its customer or project was deleted'),
  created_at: timestamp,
  ended_at: timestamp.optional(),
});

export const paymentTotalsSchema = z.object({
  currency: z.string(),
  received_cents: z.int().describe('completed payments, before refunds and disputes'),
  tax_cents: z.int(),
  refunded_cents: z.int(),
  disputed_cents: z.int().describe('open and lost disputes'),
  net_cents: z.int(),
  count: z.int().describe('completed payments'),
});

export const paymentListSchema = z.object({
  payments: z.array(paymentSchema),
  totals: z.array(paymentTotalsSchema).optional().describe('with `totals=true`'),
  next_cursor: z.string().optional(),
});

/** `POST /payments/{id}/refund` */
export const refundInputSchema = z.object({
  amount_cents: z
    .int()
    .min(1)
    .max(100_000_000)
    .optional()
    .describe('default: everything that can be refunded; never more than `refundable_cents` of the payment'),
});

export const refundSchema = z.object({
  id: z.guid(),
  payment_id: z.guid(),
  amount_cents: z.int(),
  currency: z.string().optional(),
  status: z
    .enum(['pending', 'succeeded', 'failed'])
    .describe(
      '`pending`: reserved in the wallet, and not confirmed by the card processor; `failed`: the wallet has the money again',
    ),
  failure: z.string().optional(),
  created_at: timestamp,
  ended_at: timestamp.optional(),
});

export const refundEnvelopeSchema = z.object({ refund: refundSchema });

/** `GET /payments/{id}` */
export const paymentDetailSchema = z.object({
  payment: paymentSchema,
  refundable_cents: z
    .int()
    .min(0)
    .describe('what is left of the payment, and of the paid money in the wallet; only top-ups can be refunded'),
  refunds: z.array(refundSchema).describe('newest first, at most 100; without refunds made at the card processor'),
});

/** `GET /projects/{id}/uncharged-usage` */
export const unchargedUsageQuery = cursorQuery(50, 200).extend({
  customer_id: z.guid().optional(),
  kind: z.enum(['overrun', 'unreconciled']).optional(),
});

export const unchargedUsageSchema = z.object({
  usage: z.array(
    z.object({
      request_id: z.string(),
      customer_id: z.guid().optional().describe('absent for requests of the owner'),
      model: z.string(),
      overrun_microcents: z.int().min(0).describe('usage beyond what was held; never charged to the customer'),
      unreconciled_microcents: z.int().min(0).describe('an upper bound of what was served without a report'),
      occurred_at: timestamp,
    }),
  ),
  next_cursor: z.string().optional(),
});

/** AutoTopupConfigRequest. */
export const autoTopUpInputSchema = z.object({ enabled: z.boolean(), threshold_cents: cents, amount_cents: cents });

/** AutoTopupConfigResponse. */
export const autoTopUpSchema = z.object({
  enabled: z.boolean(),
  threshold_cents: z.int(),
  amount_cents: z.int(),
  failure_count: z.int(),
  limits: z.object({
    min_topup_cents: z.int(),
    max_single_cents: z.int(),
    max_daily_cents: z.int(),
    max_monthly_cents: z.int(),
  }),
  payment_method: z
    .object({ id: z.string(), brand: z.string(), last4: z.string(), exp_month: z.int(), exp_year: z.int() })
    .optional(),
  last_triggered_at: timestamp.optional(),
});

/** AutoTopupSetupResponse and AutoTopupConfirmRequest. */
export const cardSetupSchema = z.object({
  setup_intent_id: z.string(),
  client_secret: z.string(),
  status: z.string().optional(),
});

/** `POST /account/billing/auto-topup/checkout` */
export const startCardSetupCheckoutSchema = z.object(optionalReturnUrls);
export const cardSetupCheckoutSchema = z.object({
  checkout_session_id: z.string(),
  checkout_url: z.url(),
  expires_at: timestamp,
});
export const confirmCardSetupSchema = z.object({ setup_intent_id: storableText(255).min(1) });

export const startCardVerificationSchema = z.object(optionalReturnUrls);

/** CardVerificationSession, CardVerificationConfirmRequest and CardVerificationOutcome. */
export const cardVerificationSessionSchema = z.object({
  verification_id: z.uuid(),
  checkout_session_id: z.string(),
  checkout_url: z.url(),
  expires_at: timestamp,
});
export const confirmCardVerificationSchema = z.object({ checkout_session_id: storableText(255).min(1) });
export const cardVerificationSchema = z.object({
  verified: z.boolean(),
  credit_granted: z.boolean(),
  verified_at: timestamp.optional(),
  card_brand: z.string().optional(),
  card_last4: z.string().optional(),
  grant_amount_cents: z.int().optional(),
  grant_already_used_by_card: z.boolean().optional(),
});
