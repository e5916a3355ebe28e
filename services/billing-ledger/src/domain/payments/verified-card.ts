/** A card as the processor describes it. */
export interface ProcessorCard {
  id: string;
  brand: string;
  last4: string;
  funding: string;
  /** The same for one card wherever it is used; absent where the processor gives none. */
  fingerprint: string | null;
  expMonth: number;
  expYear: number;
}

/** Why a card can not verify an account; undefined = it can (SPEC "card verification": non-prepaid). */
export function cardRefusal(card: ProcessorCard | undefined): string | undefined {
  if (!card) return 'the payment method is not a card';
  if (card.funding === 'prepaid') return 'prepaid cards cannot verify an account';
  // Without one nobody could tell whether the card had its grant.
  if (!card.fingerprint) return 'the card cannot be told apart from others';
  return undefined;
}
