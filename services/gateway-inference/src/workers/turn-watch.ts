import type { Clock, Stoppable } from '@tollgate/runtime';

/** Held work, as the watch sees it. */
export interface WatchedTurn {
  report(nowMs: number): void;
  cut(): void;
}

const TICK_MS = 500;

/** Triggers the heartbeats of all running turns with one timer, so that a request needs none of its own. */
export function startTurnWatch(turns: ReadonlySet<WatchedTurn>, clock: Clock): Stoppable {
  const timer = setInterval(() => {
    const nowMs = clock.nowMs();
    for (const turn of turns) turn.report(nowMs);
  }, TICK_MS);
  timer.unref();
  return { stop: async () => clearInterval(timer) };
}
