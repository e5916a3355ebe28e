import { setTimeout as sleep } from 'node:timers/promises';
import { elapsed, type Logger, type Stoppable } from '@tollgate/runtime';

export interface KeepRunningOptions {
  name: string;
  start: () => Promise<Stoppable & { failed: Promise<Error> }>;
  logger: Logger;
  /** First pause before the next start; doubles up to 30 s while starting fails. Default 1 s. */
  pauseMs?: number;
}

/** Starts something and restarts it whenever it fails, until stopped. */
export function keepRunning({ name, start, logger, pauseMs = 1000 }: KeepRunningOptions): Stoppable {
  const abort = new AbortController();
  const stopping = new Promise<undefined>((resolve) => {
    abort.signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });

  async function runOnce(): Promise<void> {
    const starting = start();
    const running = await Promise.race([starting, stopping]);
    if (!running) {
      // Stopped during a start, which may take long: the start is not awaited, but its result is cleaned up.
      starting.then((late) => late.stop()).catch(() => undefined);
      return;
    }
    const failure = await Promise.race([running.failed, stopping]);
    await running.stop();
    if (failure) throw failure;
  }

  async function supervise(): Promise<void> {
    let pause = pauseMs;
    while (!abort.signal.aborted) {
      const startedAt = elapsed();
      try {
        await runOnce();
      } catch (error) {
        if (elapsed() - startedAt > 60_000) pause = pauseMs; // it ran for a while
        logger.warn({ err: error, pause_ms: pause }, `${name} failed; starting it again`);
        await sleep(pause, undefined, { signal: abort.signal }).catch(() => undefined);
        pause = Math.min(30_000, pause * 2);
      }
    }
  }

  const done = supervise();
  return {
    async stop() {
      abort.abort();
      await done;
    },
  };
}
