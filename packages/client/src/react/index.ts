export { TollgateProvider, type TollgateProviderProps, useTollgate } from './provider.js';
export type { QueryState } from './query.js';
export { type Portal, type PortalOptions, usePortal } from './use-portal.js';
export { type QueryOptions, type QueryResult, useBalance, useCustomer, useUsage } from './use-query.js';
export { type RunEvents, type RunEventsOptions, useRunEvents } from './use-run-events.js';
