import { createLogger, type Logger } from '../observing/logger.js';
import { stopTracing } from '../observing/tracing.js';
import { LATE, within } from '../time/within.js';
import type { Stoppable } from './stoppable.js';

export interface RunOptions {
  name: string;
  /**
   * Builds and starts everything. A signal stops the result. It also aborts `stopping`: a start that waits closes what it has
   * opened and rejects with the reason of `stopping`.
   */
  start: (stopping: AbortSignal) => Promise<Stoppable>;
  /** Default: `createLogger(name)`. */
  logger?: Logger;
  /** How long draining may take after the first signal. Default 25 s: less than the usual 30 s before a SIGKILL. */
  drainMs?: number;
  /** Replaces `process` in tests. */
  host?: ProcessHost;
}

export interface RunningService {
  /** Resolves when the service has stopped and the process is about to exit. */
  stopped: Promise<void>;
}

/** The part of `process` that the lifecycle uses. */
export interface ProcessHost extends Pick<NodeJS.EventEmitter, 'on'> {
  exit(code: number): void;
}

/** How long a stop may take to send the last spans. */
const TRACES_MS = 2_000;

/**
 * Runs a service process: starts it, logs `ready`, and on SIGTERM or SIGINT drains within the deadline and exits 0. A second
 * signal exits at once. Logs a failed start, an uncaught exception and an unhandled rejection and exits 1: a process in an
 * unknown state must not continue to serve.
 */
export function runService(options: RunOptions): RunningService {
  const { name, logger = createLogger(name), drainMs = 25_000, host = process } = options;
  const stopping = new AbortController();
  const starting = options.start(stopping.signal);
  let draining = false;
  let settle: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const exit = (code: number) => {
    logger.flush();
    settle();
    host.exit(code);
  };
  const drain = async (signal: string) => {
    if (draining) {
      logger.warn({ signal }, 'second signal: exiting at once');
      return exit(1);
    }
    draining = true;
    logger.info({ signal }, `${name} is draining`);
    stopping.abort();
    const code = await stopWithin(starting, { drainMs, logger, reason: stopping.signal.reason });
    await within(stopTracing().catch(ignore), TRACES_MS);
    logger.info(`${name} stopped`);
    exit(code);
  };
  const crash = (kind: string) => (error: unknown) => {
    logger.fatal({ err: error }, kind);
    exit(1);
  };
  for (const signal of ['SIGTERM', 'SIGINT']) host.on(signal, () => void drain(signal));
  host.on('uncaughtException', crash('uncaught exception'));
  host.on('unhandledRejection', crash('unhandled rejection'));
  starting.then(
    () => draining || logger.info(`${name} is ready`),
    (error) => draining || crash(`${name} failed to start`)(error),
  );
  return { stopped };
}

/** Unsent spans do not fail a stop. */
function ignore(): void {}

/** Returns the exit code: 0 when everything stopped in time, 1 otherwise. */
async function stopWithin(
  starting: Promise<Stoppable>,
  { drainMs, logger, reason }: { drainMs: number; logger: Logger; reason: unknown },
): Promise<number> {
  const stopping = starting.then(
    (service) => service.stop(),
    (error) => {
      // A start that the signal has ended has closed what it had opened.
      if (error !== reason) throw error;
    },
  );
  try {
    if ((await within(stopping, drainMs)) !== LATE) return 0;
    logger.error({ drain_ms: drainMs }, 'draining took too long; exiting with work unfinished');
  } catch (error) {
    logger.error({ err: error }, 'stopping failed');
  }
  return 1;
}
