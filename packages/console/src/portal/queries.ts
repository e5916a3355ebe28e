import { queryOptions } from '@tanstack/react-query';
import type {
  CustomerEnvelope,
  CustomerUsage,
  Device,
  Payment,
  Tier,
  TierChangePreview,
  WalletEntry,
} from '../api/types.js';
import { callAsCustomer } from './portal-session.js';

export const PAGE_LIMIT = 20;

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => callAsCustomer<CustomerEnvelope & { tier: Tier | null }>('GET', '/customers/me', { signal }),
});

export const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: ({ signal }) => callAsCustomer<{ usage: CustomerUsage }>('GET', '/customers/me/usage', { signal }),
});

export const tiersQuery = queryOptions({
  queryKey: ['tiers'],
  queryFn: ({ signal }) => callAsCustomer<{ tiers: Tier[] }>('GET', '/customers/me/tiers', { signal }),
});

export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: ({ signal }) => callAsCustomer<{ devices: Device[] }>('GET', '/customers/me/devices', { signal }),
});

export const historyQuery = (offset: number) =>
  queryOptions({
    queryKey: ['history', offset],
    queryFn: ({ signal }) =>
      callAsCustomer<{ entries: WalletEntry[]; next_cursor?: string }>('GET', '/customers/me/balance/history', {
        query: { limit: PAGE_LIMIT, offset },
        signal,
      }),
  });

export const paymentsQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ['payments', cursor],
    queryFn: ({ signal }) =>
      callAsCustomer<{ payments: Payment[]; next_cursor?: string }>('GET', '/customers/me/payments', {
        query: { limit: PAGE_LIMIT, cursor },
        signal,
      }),
  });

/** Never kept: prorations change by the second. */
export const previewQuery = (tierCode: string) =>
  queryOptions({
    queryKey: ['preview', tierCode],
    queryFn: ({ signal }) =>
      callAsCustomer<TierChangePreview>('GET', '/customers/me/change-tier', { query: { tier_code: tierCode }, signal }),
    gcTime: 0,
    staleTime: 0,
  });
