import type Stripe from 'stripe';
import type { ProcessorCard } from '../../../domain/payments/verified-card.js';

/** Converts an expanded payment method; returns undefined if it is not a card or not expanded. */
export function toProcessorCard(method: string | Stripe.PaymentMethod | null): ProcessorCard | undefined {
  if (method === null || typeof method === 'string' || !method.card) return undefined;
  const { card } = method;
  return {
    id: method.id,
    brand: card.brand,
    last4: card.last4,
    funding: card.funding,
    fingerprint: card.fingerprint ?? null,
    expMonth: card.exp_month,
    expYear: card.exp_year,
  };
}
