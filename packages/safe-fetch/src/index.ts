export { type AddressClass, classifyAddress, isAllowedAddress } from './address.js';
export type { SafeFetchStream } from './exchange-stream.js';
export type { PoolLimits } from './origin-pools.js';
export type { FailureReason, SafeFetchFailure, SafeFetchResponse, SafeFetchResult } from './outcome.js';
export { FailureError } from './outcome.js';
export { type Lookup, lookupBySystem } from './resolver.js';
export {
  checkUrl,
  closeSafeFetch,
  createSafeFetch,
  type SafeFetchClient,
  type SafeFetchInit,
  type SafeFetchOptions,
  type SafeStreamClient,
  type SafeStreamInit,
  safeFetch,
} from './safe-fetch.js';
