import type { Clock, Stoppable } from '@tollgate/runtime';

/** What the watch knows of a turn. */
export interface WatchedTurn {
  report(nowMs: number): void;
  cut(): void;
}

const TICK_MS = 500;

/** Looks at all turns under way with one timer, so that a request costs none of its own. */
export function startTurnWatch(turns: ReadonlySet<WatchedTurn>, clock: Clock): Stoppable {
  const timer = setInterval(() => {
    const nowMs = clock.nowMs();
    for (const turn of turns) turn.report(nowMs);
  }, TICK_MS);
  timer.unref();
  return { stop: async () => clearInterval(timer) };
}
