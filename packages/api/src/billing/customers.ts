import { z } from 'zod';
import { jsonObject } from '../values/json-object.js';
import { cursorQuery, pageQuery, queryBoolean } from '../values/paging.js';
import { storableText, visibleText } from '../values/text.js';
import { moment } from '../values/times.js';

/** JSON objects that are passed through: the ledger checks size, keys and depth (SPEC "Customer"). */
const metadata = jsonObject;

export const customerInputSchema = z.object({
  external_id: visibleText(255).min(1),
  email: storableText(320).min(3),
  metadata: metadata.optional(),
});

/** `PATCH /customers/{id}`; what is absent stays as it is. */
export const customerChangeSchema = customerInputSchema
  .omit({ external_id: true })
  .partial()
  .refine(({ email, metadata }) => email !== undefined || metadata !== undefined, {
    message: 'name email or metadata',
  });

/** `DELETE /customers/{id}` */
export const deleteCustomerQuery = z.object({
  /** Also cancels the customer's running subscriptions at the payment processor, immediately. */
  cancel_subscription: queryBoolean.default(false),
});

export const claimCustomerSchema = z.object({
  email: storableText(320).min(3),
  provider: visibleText(64).min(1),
  subject: visibleText(255).min(1),
});

const timestamp = z.iso.datetime({ offset: true });

export const customerSchema = z.object({
  id: z.uuid(),
  project_id: z.uuid(),
  external_id: z.string(),
  email: z.string(),
  metadata,
  blocked_at: timestamp.optional().describe('set while requests of the customer are refused'),
  created_at: timestamp,
  updated_at: timestamp,
});

const subscriptionStatus = z.enum([
  'active',
  'trialing',
  'past_due',
  'canceled',
  'unpaid',
  'incomplete',
  'incomplete_expired',
  'paused',
]);

/** `GET /customers`. With `sort` or `cursor`, `next_cursor` is opaque and belongs to `cursor`; else it is the next `offset`. */
export const customerListQuery = pageQuery(50, 200).extend({
  q: storableText(320).min(1).optional().describe('beginning of the email or external id, in any case'),
  email: storableText(320).min(1).optional().describe('in any case'),
  external_id: storableText(255).min(1).optional(),
  ids: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.uuid()).max(100))
    .optional()
    .describe('up to 100 ids, separated by commas'),
  tier_code: storableText(64).min(1).optional(),
  status: z
    .enum([...subscriptionStatus.options, 'none'])
    .optional()
    .describe('of the subscription'),
  sort: z.enum(['created_at', '-created_at']).optional(),
  cursor: cursorQuery(50, 200).shape.cursor,
  total: queryBoolean.default(false).describe('counts all matches, up to 100,000'),
});

/** A subscription that the owner bills elsewhere. Without a period: the current period, or a new one from now. */
export const subscriptionInputSchema = z.object({
  tier_code: storableText(64).min(1),
  subscription_status: subscriptionStatus.default('active'),
  billing_provider: z.enum(['external', 'crypto', 'app_store']).optional(),
  billing_customer_id: storableText(255).optional(),
  billing_subscription_id: storableText(255).optional(),
  current_period_start: moment.optional(),
  current_period_end: moment.optional(),
});

export const subscriptionSchema = z.object({
  id: z.uuid(),
  project_id: z.uuid(),
  customer_id: z.uuid(),
  tier_id: z.uuid(),
  tier_code: z.string(),
  tier_display_name: z.string(),
  price_amount_cents: z.int().optional(),
  price_currency: z.string().optional(),
  price_interval: z.enum(['month', 'year']).optional(),
  billing_provider: z.string().optional(),
  billing_customer_id: z.string().optional(),
  billing_subscription_id: z.string().optional(),
  subscription_status: subscriptionStatus,
  current_period_start: timestamp,
  current_period_end: timestamp,
  cancel_at: timestamp.optional().describe('when a scheduled cancellation ends the subscription'),
  created_at: timestamp,
  updated_at: timestamp,
});

export const customerEnvelopeSchema = z.object({
  customer: customerSchema,
  subscription: subscriptionSchema.nullable(),
});

/** A publishable key gets the customer without its metadata. */
export const claimedCustomerSchema = customerEnvelopeSchema.extend({
  customer: customerSchema.partial({ metadata: true }),
});

export const usageSchema = z.object({
  window_start: z.iso.date(),
  window_end: z.iso.date(),
  requests: z.int(),
  tokens: z.int(),
  total_cost_microcents: z.int(),
  spend_limit_cents: z.int().optional(),
  spend_remaining_microcents: z.int().optional(),
  percentage_used: z.number().min(0).max(100).optional(),
  low: z.boolean(),
  wallet_balance_microcents: z.int().optional(),
  wallet_reserved_microcents: z.int().optional(),
  overage_enabled: z.boolean(),
  daily: z.array(z.object({ date: z.iso.date(), requests: z.int(), tokens: z.int(), cost_microcents: z.int() })),
});

export const balanceSchema = z.object({
  customer_id: z.uuid(),
  billing_profile_id: z.uuid(),
  balance_microcents: z.int(),
  reserved_microcents: z.int(),
  currency: z.string(),
  granted_microcents: z
    .int()
    .min(0)
    .optional()
    .describe('the free part of the balance that was granted, not paid; it counts as used first'),
});

/** `POST /customers/{id}/credit` */
export const customerCreditInputSchema = z.object({
  /** At most a million dollars: more is a mistake. */
  amount_cents: z.int().min(1).max(100_000_000),
  /** `promo` is promotional credit, `adjustment` corrects a balance. */
  reason: z.enum(['promo', 'adjustment']),
});

export const customerCreditSchema = z.object({
  balance_microcents: z.int(),
  /** False if the key was applied before. */
  applied: z.boolean(),
});

/** `POST /customers/{id}/credit/withdraw` */
export const creditWithdrawalInputSchema = z.object({
  amount_cents: z.int().min(1).max(100_000_000).describe('never more than is left of the granted credit'),
});

export const creditWithdrawalSchema = z.object({
  balance_microcents: z.int(),
  applied: z.boolean().describe('false if the key was applied before'),
});

export const balanceHistorySchema = z.object({
  entries: z.array(
    z.object({
      id: z.string(),
      direction: z.enum(['credit', 'debit']),
      amount_microcents: z.int(),
      reason: z.string(),
      occurred_at: timestamp,
      balance_after_microcents: z.int(),
      request_id: z.string().optional(),
      description: z.string(),
      model_id: z.string().optional(),
      input_tokens: z.int().optional(),
      output_tokens: z.int().optional(),
    }),
  ),
  next_cursor: z.string().optional(),
});

export const customerListSchema = z.object({
  customers: z.array(customerEnvelopeSchema),
  total: z.int().min(0).optional(),
  next_cursor: z.string().optional(),
});

export type CustomerListQuery = z.output<typeof customerListQuery>;
