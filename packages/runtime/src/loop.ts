import { backoffMs } from './backoff.js';
import type { Logger } from './logger.js';
import type { Stoppable } from './stoppable.js';

const BACKOFF_MIN_MS = 200;

export interface LoopOptions {
  name: string;
  /** How long to rest after a pass that found nothing. The guarantee when a wake-up is lost. */
  intervalMs: number;
  /**
   * One bounded pass of work. Resolves with true when there may be more, so that the next pass follows without the
   * interval; false or nothing means drained. `signal` aborts when the loop is asked to stop: finish what must be finished.
   */
  run: (signal: AbortSignal) => Promise<boolean> | Promise<void>;
  logger: Logger;
  /** Least time from one pass to the next after it drained: joins a storm of wake-ups into few passes. Default 0. */
  spacingMs?: number;
  /** Longest rest between failing passes. Default 30 s. */
  backoffMaxMs?: number;
}

export interface Loop extends Stoppable {
  /** Asks for a pass soon; many calls are joined into one. */
  wake(): void;
  /** Ends the loop after the pass in progress. */
  stop(): Promise<void>;
}

/**
 * A worker loop: runs passes until drained, rests `intervalMs`, starts again earlier when woken. A failing pass is
 * logged and repeated after an exponential pause with jitter; it never ends the loop. The first pass starts at once.
 */
export function createLoop(options: LoopOptions): Loop {
  const { name, intervalMs, run, logger, spacingMs = 0, backoffMaxMs = 30_000 } = options;
  const abort = new AbortController();
  const rest = createRest(abort.signal);
  let failures = 0;

  /** One pass and the pause after it. */
  async function cycle(): Promise<void> {
    const startedAt = performance.now();
    rest.clearWake();
    try {
      const more = await run(abort.signal);
      failures = 0;
      if (more === true) return;
      await rest.sleepUnlessWoken(intervalMs);
      await rest.sleep(spacingMs - (performance.now() - startedAt));
    } catch (error) {
      failures += 1;
      const pauseMs = backoffMs(failures, { minMs: BACKOFF_MIN_MS, maxMs: backoffMaxMs });
      logger.error({ err: error, loop: name, failures, pause_ms: Math.round(pauseMs) }, 'a pass failed');
      // Not cut short by wake-ups: they would turn the back-off into a storm.
      await rest.sleep(pauseMs);
    }
  }

  async function cycles(): Promise<void> {
    await Promise.resolve(); // the caller has its loop before the first pass uses it
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

/** The pauses of one loop: a wake-up or the end of the loop cuts them short. */
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
    clearWake() {
      woken = false;
    },
    sleep: (ms: number) => pause(ms, false),
    sleepUnlessWoken: (ms: number) => pause(ms, true),
  };
}
