import type Stripe from 'stripe';
import type { ProcessorCard } from '../../../domain/payments/verified-card.js';

/** The card of an expanded payment method; undefined for anything else. */
export function cardOf(method: string | Stripe.PaymentMethod | null): ProcessorCard | undefined {
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
