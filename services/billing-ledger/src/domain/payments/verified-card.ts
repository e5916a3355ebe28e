/** A card as the processor describes it. */
export interface ProcessorCard {
  id: string;
  brand: string;
  last4: string;
  funding: string;
  /** Identifies the physical card across accounts; null if the processor gives none. */
  fingerprint: string | null;
  expMonth: number;
  expYear: number;
}

/** Returns why a card cannot verify an account; undefined if it can (SPEC "card verification": non-prepaid). */
export function cardRefusal(card: ProcessorCard | undefined): string | undefined {
  if (!card) return 'the payment method is not a card';
  if (card.funding === 'prepaid') return 'prepaid cards cannot verify an account';
  // The signup credit is granted once per fingerprint.
  if (!card.fingerprint) return 'the card cannot be identified';
  return undefined;
}
