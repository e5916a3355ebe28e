import { useCallback, useSyncExternalStore } from 'react';
import type { Answer } from '../core/operation-types.js';
import type { components } from '../gen/schema.js';
import { useTollgate } from './provider.js';
import { findQueries } from './queries.js';
import type { Query, QueryState } from './query.js';

export interface QueryOptions {
  /** Asks again at this interval, at least one second, while the page is visible. Default: never. */
  refreshMs?: number | undefined;
}

export interface QueryResult<T> extends QueryState<T> {
  /** Asks again, such as after a request that was charged. All components that show the answer get the new one. */
  refresh: () => Promise<void>;
}

/** The customer's usage in the current billing window: requests, tokens, money, days, and what is left. */
export function useUsage(options?: QueryOptions): QueryResult<components['schemas']['CustomerUsage']> {
  return useQuery(findQueries(useTollgate()).usage, options);
}

/** The customer's prepaid wallet. */
export function useBalance(options?: QueryOptions): QueryResult<Answer<'getMyBalance', 200>> {
  return useQuery(findQueries(useTollgate()).balance, options);
}

/** The customer's profile, subscription and tier. */
export function useCustomer(options?: QueryOptions): QueryResult<Answer<'getMe', 200>> {
  return useQuery(findQueries(useTollgate()).customer, options);
}

function useQuery<T>(query: Query<T>, { refreshMs }: QueryOptions = {}): QueryResult<T> {
  const subscribe = useCallback((onChange: () => void) => query.subscribe(onChange, refreshMs), [query, refreshMs]);
  const state = useSyncExternalStore(subscribe, query.getState, query.getServerState);
  return { ...state, refresh: query.refresh };
}
