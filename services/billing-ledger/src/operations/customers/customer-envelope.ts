import type { Customer, Subscription, Tier } from '../../store/generated/client.js';

export type CustomerRecord = Customer & { subscription: (Subscription & { tier: Tier }) | null };

/** What every read of a customer brings along: the envelope shows the subscription with its tier's code. */
export const withSubscription = { subscription: { include: { tier: true } } } as const;
