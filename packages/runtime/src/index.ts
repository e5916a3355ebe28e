export { type Clock, systemClock } from './clock.js';
export { ConfigError, loadConfig } from './config.js';
export { fields } from './config-fields.js';
export { type RunningService, type RunOptions, runService } from './lifecycle.js';
export { createLogger, type Logger, type LogLevel, silentLogger } from './logger.js';
export { createLoop, type Loop, type LoopOptions } from './loop.js';
export { type Command, runMain, type ServiceMain } from './main.js';
export { RetryQueue, type RetryQueueOptions } from './retry-queue.js';
export { type Stoppable, stopAll } from './stoppable.js';
