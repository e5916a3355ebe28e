import { isLowerCaseUuid } from '@tollgate/runtime/uuid';
import type { PaymentOrder } from '../../../store/payments/payment-orders.js';

/** Metadata keys that link the processor's objects to our orders and tiers. */
const ORDER = 'tollgate_order';
const TIER = 'tollgate_tier';
const REFUND = 'tollgate_refund';

type Metadata = Record<string, string> | null | undefined;

export function orderMetadata(orderId: string, tierId?: string): Record<string, string> {
  return { [ORDER]: orderId, ...(tierId !== undefined && { [TIER]: tierId }) };
}

export function tierMetadata(tierId: string): Record<string, string> {
  return { [TIER]: tierId };
}

/** Does not name the order: undoing an order looks for its own refund by that. */
export function refundMetadata(refundId: string): Record<string, string> {
  return { [REFUND]: refundId };
}

/** Returns undefined for a refund that no owner requested here. */
export function readRefundId(metadata: Metadata): string | undefined {
  return uuid(metadata?.[REFUND]);
}

/** Returns undefined if the object was not created for an order of this service. */
export function readOrderId(metadata: Metadata): string | undefined {
  return uuid(metadata?.[ORDER]);
}

export function readTierId(metadata: Metadata): string | undefined {
  return uuid(metadata?.[TIER]);
}

export function isTopUp(order: PaymentOrder): boolean {
  return order.kind === 'wallet_topup' || order.kind === 'account_topup' || order.kind === 'auto_topup';
}

function uuid(value: string | undefined): string | undefined {
  return value !== undefined && isLowerCaseUuid(value) ? value : undefined;
}
