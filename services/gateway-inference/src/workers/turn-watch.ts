import { type Clock, type Stoppable, yieldLoop } from '@tollgate/runtime';

/** Held work, as the watch sees it. */
export interface WatchedTurn {
  /** Sends a heartbeat if one is due. Returns whether it did. */
  report(elapsedMs: number): boolean;
  cut(): void;
}

const TICK_MS = 500;
/** Streams that started together are due together: their heartbeats leave in groups, and other work runs between the groups. */
export const HEARTBEATS_PER_GROUP = 100;

/** Triggers the heartbeats of all running turns with one timer, so that a request needs none of its own. */
export function startTurnWatch(turns: ReadonlySet<WatchedTurn>, clock: Clock, tickMs = TICK_MS): Stoppable {
  let isReporting = false;
  let isStopped = false;
  async function reportAll(): Promise<void> {
    let sent = 0;
    for (const turn of turns) {
      if (isStopped) return;
      if (turn.report(clock.elapsed()) && ++sent % HEARTBEATS_PER_GROUP === 0) await yieldLoop();
    }
  }
  const timer = setInterval(() => {
    if (isReporting) return;
    isReporting = true;
    void reportAll().finally(() => {
      isReporting = false;
    });
  }, tickMs);
  timer.unref();
  return {
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
