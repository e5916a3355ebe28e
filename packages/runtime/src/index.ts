export { backoffMs } from './backoff.js';
export { Channel } from './channel.js';
export { type Clock, elapsed, systemClock } from './clock.js';
export { ConfigError, loadConfig } from './config.js';
export { fields } from './config-fields.js';
export { inOwnTurns, ownTurn } from './event-loop/own-turn.js';
export { Standstill } from './event-loop/standstill.js';
export { newOrderedId } from './ids/ordered-id.js';
export { ExactNumber, parseExactJson, writeExactJson } from './json/exact-json.js';
export { lazy } from './lazy.js';
export { LeasePool } from './leases/lease-pool.js';
export { type Claimed, LeaseLost, type LeasePoolOptions, type LeaseQueue } from './leases/lease-queue.js';
export { type RunningService, type RunOptions, runService } from './lifecycle.js';
export { atMost } from './limits/at-most.js';
export { ByteBudget } from './limits/byte-budget.js';
export { Circuit, type CircuitLimits, type CircuitReport, type CircuitState } from './limits/circuit.js';
export { FairGate, type FairGateOptions } from './limits/fair-gate.js';
export { FairSlots, type FairSlotsOptions } from './limits/fair-slots.js';
export { KeyedTurns } from './limits/keyed-turns.js';
export { createLogger, type Logger, type LogLevel, silentLogger } from './logger.js';
export { createLoop, type Loop, type LoopOptions } from './loop.js';
export { type MainHost, processHost } from './main-host.js';
export { splitHosts } from './parse-url.js';
export { RetryQueue, type RetryQueueOptions } from './retry-queue.js';
export { type Stoppable, stopAll, stopTogether } from './stoppable.js';
export {
  errorType,
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
} from './tracing.js';
export { LATE, within } from './within.js';
