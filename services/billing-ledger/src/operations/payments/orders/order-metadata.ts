import type { PaymentOrder } from '../../../store/payments/payment-orders.js';

/** Under these names the processor's objects carry what they were made for. */
const ORDER = 'tollgate_order';
const TIER = 'tollgate_tier';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Metadata = Record<string, string> | null | undefined;

export function orderMetadata(orderId: string, tierId?: string): Record<string, string> {
  return { [ORDER]: orderId, ...(tierId !== undefined && { [TIER]: tierId }) };
}

export function tierMetadata(tierId: string): Record<string, string> {
  return { [TIER]: tierId };
}

/** Undefined: the object was not made by us, or not for an order. */
export function orderIdOf(metadata: Metadata): string | undefined {
  return uuid(metadata?.[ORDER]);
}

export function tierIdOf(metadata: Metadata): string | undefined {
  return uuid(metadata?.[TIER]);
}

export function isTopUp(order: PaymentOrder): boolean {
  return order.kind === 'wallet_topup' || order.kind === 'account_topup' || order.kind === 'auto_topup';
}

function uuid(value: string | undefined): string | undefined {
  return value !== undefined && UUID.test(value) ? value : undefined;
}
