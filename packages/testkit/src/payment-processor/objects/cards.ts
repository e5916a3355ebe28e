import { createHash } from 'node:crypto';
import { missing, ProcessorError } from '../api/processor-error.js';
import { newId, type ProcessorState, seconds } from '../processor-state.js';
import type { WirePaymentMethod } from '../wire.js';

export interface TestCard {
  /** Label on the page. */
  label: string;
  number: string;
  brand: 'visa' | 'mastercard';
  funding: 'credit' | 'debit' | 'prepaid';
  /** Charges of it fail; saving the card works. */
  declineCode?: string;
  /** Saving it also fails. */
  isRefused?: true;
}

/** The processor's test tokens that are used here. */
export const TEST_CARDS: Readonly<Record<string, TestCard>> = {
  pm_card_visa: { label: 'Visa, credit', number: '4242424242424242', brand: 'visa', funding: 'credit' },
  pm_card_visa_debit: { label: 'Visa, debit', number: '4000056655665556', brand: 'visa', funding: 'debit' },
  pm_card_mastercard: { label: 'Mastercard', number: '5555555555554444', brand: 'mastercard', funding: 'credit' },
  pm_card_mastercard_prepaid: {
    label: 'Mastercard, prepaid',
    number: '5105105105105100',
    brand: 'mastercard',
    funding: 'prepaid',
  },
  pm_card_chargeCustomerFail: {
    label: 'Visa that declines later charges',
    number: '4000000000000341',
    brand: 'visa',
    funding: 'credit',
    declineCode: 'generic_decline',
  },
  pm_card_authenticationRequired: {
    label: 'Visa that wants its owner present',
    number: '4000002760003184',
    brand: 'visa',
    funding: 'credit',
    declineCode: 'authentication_required',
  },
  pm_card_chargeDeclined: {
    label: 'Visa that is declined',
    number: '4000000000000002',
    brand: 'visa',
    funding: 'credit',
    declineCode: 'generic_decline',
    isRefused: true,
  },
};

/** A new card: it has another fingerprint every time. */
export const NEW_CARD = 'pm_card_new';

const TOKEN = 'double_card';

/** A payment method from a test token, or the saved one with this id. */
export function requirePaymentMethod(
  state: ProcessorState,
  reference: string,
  param = 'payment_method',
): WirePaymentMethod {
  const kept = state.store.get('payment_method', reference);
  if (kept) return kept;
  const card = findTestCard(reference);
  if (!card) throw missing('PaymentMethod', reference, param);
  if (card.isRefused) {
    throw new ProcessorError(402, {
      type: 'card_error',
      code: 'card_declined',
      decline_code: card.declineCode ?? 'generic_decline',
      message: 'Your card was declined.',
    });
  }
  return state.store.put({
    id: newId('pm'),
    object: 'payment_method',
    created: seconds(state),
    livemode: false,
    type: 'card',
    customer: null,
    card: {
      brand: card.brand,
      country: 'US',
      exp_month: 12,
      exp_year: new Date(state.nowMs()).getUTCFullYear() + 4,
      fingerprint: createHash('sha256').update(card.number).digest('hex').slice(0, 16),
      funding: card.funding,
      last4: card.number.slice(-4),
    },
    metadata: { [TOKEN]: reference },
  });
}

/** Returns why a charge of this card is refused; undefined if it succeeds. */
export function findDeclineCode(method: WirePaymentMethod): string | undefined {
  return TEST_CARDS[method.metadata[TOKEN] ?? '']?.declineCode;
}

function findTestCard(token: string): TestCard | undefined {
  if (token !== NEW_CARD) return TEST_CARDS[token];
  const digits = String(Math.floor(Math.random() * 1e12)).padStart(12, '0');
  return { label: 'A new card', number: `4242${digits}`, brand: 'visa', funding: 'credit' };
}
