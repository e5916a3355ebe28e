import type Stripe from 'stripe';

// The processor's objects, as far as the fake has them. Names and values are checked against the library's types.

export type Metadata = Record<string, string>;

export type WireCustomer = Pick<Stripe.Customer, 'id' | 'object' | 'created' | 'email' | 'livemode' | 'balance'> & {
  metadata: Metadata;
  invoice_settings: { default_payment_method: string | null };
  deleted?: true;
};

export type WireCard = Pick<
  Stripe.PaymentMethod.Card,
  'brand' | 'country' | 'exp_month' | 'exp_year' | 'fingerprint' | 'funding' | 'last4'
>;

export type WirePaymentMethod = Pick<Stripe.PaymentMethod, 'id' | 'object' | 'created' | 'livemode'> & {
  type: 'card';
  customer: string | null;
  card: WireCard;
  metadata: Metadata;
};

export type WirePrice = Pick<
  Stripe.Price,
  'id' | 'object' | 'active' | 'created' | 'currency' | 'livemode' | 'lookup_key' | 'type' | 'unit_amount'
> & {
  product: string;
  recurring: { interval: 'month' | 'year'; interval_count: number; usage_type: 'licensed' } | null;
  metadata: Metadata;
};

export type WireProduct = Pick<Stripe.Product, 'id' | 'object' | 'active' | 'created' | 'livemode' | 'name'> & {
  metadata: Metadata;
};

export type WirePaymentIntent = Pick<
  Stripe.PaymentIntent,
  'id' | 'object' | 'amount' | 'amount_received' | 'client_secret' | 'created' | 'currency' | 'description' | 'livemode'
> & {
  status: 'requires_payment_method' | 'succeeded' | 'canceled' | 'processing';
  customer: string | null;
  payment_method: string | null;
  latest_charge: string | null;
  last_payment_error: { type: 'card_error'; code: string; decline_code: string; message: string } | null;
  metadata: Metadata;
};

export type WireCharge = Pick<
  Stripe.Charge,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_refunded'
  | 'created'
  | 'currency'
  | 'disputed'
  | 'livemode'
  | 'paid'
  | 'receipt_url'
  | 'refunded'
> & {
  status: 'succeeded' | 'failed';
  customer: string | null;
  payment_intent: string;
  payment_method: string | null;
  metadata: Metadata;
};

export type WireRefund = Pick<Stripe.Refund, 'id' | 'object' | 'amount' | 'created' | 'currency'> & {
  status: 'succeeded' | 'pending' | 'failed' | 'canceled';
  charge: string;
  payment_intent: string;
  metadata: Metadata;
};

export type WireDispute = Pick<Stripe.Dispute, 'id' | 'object' | 'amount' | 'created' | 'currency' | 'livemode'> & {
  status: 'needs_response' | 'under_review' | 'won' | 'lost' | 'warning_needs_response' | 'warning_closed';
  reason: string;
  balance_transactions: Pick<Stripe.BalanceTransaction, 'amount' | 'currency'>[];
  charge: string;
  payment_intent: string;
  metadata: Metadata;
};

export type WireSetupIntent = Pick<
  Stripe.SetupIntent,
  'id' | 'object' | 'client_secret' | 'created' | 'livemode' | 'usage'
> & {
  status: 'requires_payment_method' | 'succeeded' | 'canceled';
  customer: string | null;
  payment_method: string | null;
  last_setup_error: { type: 'card_error'; code: string; decline_code: string; message: string } | null;
  metadata: Metadata;
};

export type WireSubscriptionItem = Pick<
  Stripe.SubscriptionItem,
  'id' | 'object' | 'created' | 'current_period_end' | 'current_period_start' | 'quantity' | 'subscription'
> & { price: WirePrice; metadata: Metadata };

export type SubscriptionStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'canceled'
  | 'unpaid'
  | 'paused';

export type WireSubscription = Pick<
  Stripe.Subscription,
  | 'id'
  | 'object'
  | 'billing_cycle_anchor'
  | 'cancel_at'
  | 'cancel_at_period_end'
  | 'canceled_at'
  | 'collection_method'
  | 'created'
  | 'currency'
  | 'ended_at'
  | 'livemode'
  | 'start_date'
  | 'trial_end'
  | 'trial_start'
> & {
  status: SubscriptionStatus;
  customer: string;
  default_payment_method: string | null;
  latest_invoice: string | null;
  items: WireList<WireSubscriptionItem>;
  metadata: Metadata;
};

export interface WireInvoiceLine {
  id: string;
  object: 'line_item';
  amount: number;
  currency: string;
  description: string;
  period: { start: number; end: number };
  parent: {
    type: 'subscription_item_details';
    subscription_item_details: { proration: boolean; subscription: string };
  };
}

export type WireInvoice = Pick<
  Stripe.Invoice,
  | 'id'
  | 'object'
  | 'amount_due'
  | 'amount_paid'
  | 'amount_remaining'
  | 'attempt_count'
  | 'billing_reason'
  | 'created'
  | 'currency'
  | 'hosted_invoice_url'
  | 'livemode'
  | 'total'
> & {
  status: 'open' | 'paid' | 'void';
  status_transitions: { finalized_at: number; marked_uncollectible_at: null; paid_at: number | null; voided_at: null };
  total_taxes: { amount: number }[];
  customer: string;
  lines: WireList<WireInvoiceLine>;
  parent: { type: 'subscription_details'; subscription_details: { subscription: string; metadata: Metadata } };
  metadata: Metadata;
};

/** Links an invoice to the payment that paid it. */
export type WireInvoicePayment = Pick<
  Stripe.InvoicePayment,
  | 'id'
  | 'object'
  | 'amount_paid'
  | 'amount_requested'
  | 'created'
  | 'currency'
  | 'is_default'
  | 'livemode'
  | 'status_transitions'
> & {
  status: 'paid' | 'open';
  invoice: string;
  payment: { type: 'payment_intent'; payment_intent: string };
};

/** Prorations that wait for the next invoice. */
export type WireInvoiceItem = Pick<Stripe.InvoiceItem, 'id' | 'object' | 'amount' | 'currency' | 'proration'> & {
  description: string;
  customer: string;
  subscription: string;
  invoice: string | null;
};

export type WireSession = Pick<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'amount_total'
  | 'cancel_url'
  | 'client_reference_id'
  | 'created'
  | 'currency'
  | 'customer_email'
  | 'expires_at'
  | 'livemode'
  | 'success_url'
  | 'url'
> & {
  mode: 'payment' | 'setup' | 'subscription';
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid' | 'no_payment_required';
  customer: string | null;
  customer_details: { email: string | null; name: string | null } | null;
  payment_intent: string | null;
  setup_intent: string | null;
  subscription: string | null;
  metadata: Metadata;
};

/** The effect of a session when it is paid; stored with it, never shown. */
export interface SessionPlan {
  id: string;
  object: 'double.session_plan';
  line: { name: string; price: WirePrice | undefined; amount: number; currency: string; interval: string | undefined };
  trialDays: number | undefined;
  subscriptionMetadata: Metadata;
  paymentMetadata: Metadata;
  setupMetadata: Metadata;
  offersToSave: boolean;
  savesAlways: boolean;
}

export type WirePortalSession = Pick<
  Stripe.BillingPortal.Session,
  'id' | 'object' | 'created' | 'livemode' | 'return_url' | 'url'
> & { customer: string };

export interface WireEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: WireObject };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}

/** An answer that is returned again to a repeated request. */
export interface KeptAnswer {
  id: string;
  object: 'double.kept_answer';
  hash: string;
  status: number;
  body: string;
}

export interface WireList<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

export type WireObject =
  | WireCustomer
  | WirePaymentMethod
  | WireProduct
  | WirePrice
  | WirePaymentIntent
  | WireCharge
  | WireRefund
  | WireDispute
  | WireSetupIntent
  | WireSubscription
  | WireInvoice
  | WireInvoicePayment
  | WireInvoiceItem
  | WireSession
  | WirePortalSession
  | SessionPlan
  | WireEvent
  | KeptAnswer;

export type WireObjectOf<Name extends WireObject['object']> = Extract<WireObject, { object: Name }>;
