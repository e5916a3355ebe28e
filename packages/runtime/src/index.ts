export { ReadCache, type ReadCacheOptions } from './caching/read-cache.js';
export { ConfigError, loadConfig } from './config/config.js';
export { fields } from './config/config-fields.js';
export { splitHosts } from './config/parse-url.js';
export { newOrderedId } from './ids/ordered-id.js';
export { ExactNumber, parseExactJson, writeExactJson } from './json/exact-json.js';
export { isJsonObject, type JsonObject } from './json/json-object.js';
export { LeasePool } from './leases/lease-pool.js';
export { type Claimed, LeaseLost, type LeasePoolOptions, type LeaseQueue } from './leases/lease-queue.js';
export { createLogger, type Logger, type LogLevel, silentLogger } from './observing/logger.js';
export {
  errorType,
  installTracer,
  isTracing,
  readTraceparent,
  type Span,
  type SpanFields,
  type SpanKind,
  startSpan,
  startTrace,
  stopTracing,
  unsampled,
  withinSpan,
} from './observing/tracing.js';
export { lazy } from './process/lazy.js';
export { type RunningService, type RunOptions, runService } from './process/lifecycle.js';
export { type MainHost, processHost } from './process/main-host.js';
export { type Stoppable, stopAll, stopTogether } from './process/stoppable.js';
export { atMost } from './scheduling/at-most.js';
export { ByteBudget } from './scheduling/byte-budget.js';
export { Channel } from './scheduling/channel.js';
export { Circuit, type CircuitLimits, type CircuitReport, type CircuitState } from './scheduling/circuit.js';
export { FairSlots, type FairSlotsOptions, type Waiting } from './scheduling/fair-slots.js';
export { LoopShare, yieldLoop } from './scheduling/loop-share.js';
export { Standstill } from './scheduling/standstill.js';
export { backoffMs } from './time/backoff.js';
export { type Clock, elapsed, systemClock } from './time/clock.js';
export { createLoop, type Loop, type LoopOptions } from './time/loop.js';
export { RetryQueue, type RetryQueueOptions } from './time/retry-queue.js';
export { LATE, within } from './time/within.js';
