import type { Logger } from '../observing/logger.js';
import type { Stoppable } from '../process/stoppable.js';
import { backoffMs } from './backoff.js';
import { elapsed } from './clock.js';

const BACKOFF_MIN_MS = 200;

export interface LoopOptions {
  name: string;
  /** Pause after a pass that found nothing. Bounds the delay when a wake-up is lost. A function is asked after each pass. */
  intervalMs: number | (() => number);
  /**
   * Runs one bounded pass of work. Resolves with true when there may be more: the next pass then follows at once. False or
   * nothing means drained. `signal` aborts when the loop stops: end the pass soon. `isPoll`: nothing but the end of the pause has
   * started the pass.
   */
  run: (signal: AbortSignal, isPoll: boolean) => Promise<boolean> | Promise<void>;
  logger: Logger;
  /** Minimum time between two passes once the work is drained: combines many wake-ups into few passes. Default 0. */
  spacingMs?: number;
  /** Longest pause between failing passes. Default 30 s. */
  backoffMaxMs?: number;
}

export interface Loop extends Stoppable {
  /** Requests a pass soon; joins many calls into one pass. */
  wake(): void;
  /** Ends the loop after the pass in progress. */
  stop(): Promise<void>;
}

/**
 * Runs passes until the work is drained, pauses for `intervalMs`, and starts earlier when woken. Logs a failing pass and
 * repeats it after an exponential pause with jitter; it never ends the loop. The first pass starts at once.
 */
export function createLoop(options: LoopOptions): Loop {
  const { name, intervalMs, run, logger, spacingMs = 0, backoffMaxMs = 30_000 } = options;
  const abort = new AbortController();
  const rest = createRest(abort.signal);
  let failures = 0;
  let hasPaused = false;

  /** Runs one pass and the pause after it. */
  async function cycle(): Promise<void> {
    const startedAt = elapsed();
    const isPoll = !rest.clearWake() && hasPaused;
    hasPaused = false;
    try {
      const more = await run(abort.signal, isPoll);
      failures = 0;
      if (more === true) return;
      hasPaused = true;
      await rest.sleepUnlessWoken(typeof intervalMs === 'number' ? intervalMs : intervalMs());
      await rest.sleep(spacingMs - (elapsed() - startedAt));
    } catch (error) {
      failures += 1;
      const pauseMs = backoffMs(failures, { minMs: BACKOFF_MIN_MS, maxMs: backoffMaxMs });
      logger.error({ err: error, loop: name, failures, pause_ms: Math.round(pauseMs) }, 'a pass failed');
      // Wake-ups do not shorten this pause; many of them would otherwise make a failing loop spin.
      await rest.sleep(pauseMs);
    }
  }

  async function cycles(): Promise<void> {
    await Promise.resolve(); // the first pass may use the loop, which the caller must have received
    while (!abort.signal.aborted) await cycle();
  }

  const done = cycles();
  return {
    wake: rest.wake,
    async stop() {
      abort.abort();
      await done;
    },
  };
}

/** Creates the pauses of one loop. A wake-up or the end of the loop cuts them short. */
function createRest(signal: AbortSignal) {
  let woken = false;
  let cut: (() => void) | undefined;

  function pause(ms: number, wakeable: boolean): Promise<void> {
    if (ms <= 0 || signal.aborted || (wakeable && woken)) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', finish);
        cut = undefined;
        resolve();
      };
      const timer = setTimeout(finish, ms);
      signal.addEventListener('abort', finish, { once: true });
      if (wakeable) cut = finish;
    });
  }

  return {
    wake() {
      woken = true;
      cut?.();
    },
    /** Returns whether there was a wake-up. */
    clearWake(): boolean {
      const wasWoken = woken;
      woken = false;
      return wasWoken;
    },
    sleep: (ms: number) => pause(ms, false),
    sleepUnlessWoken: (ms: number) => pause(ms, true),
  };
}
