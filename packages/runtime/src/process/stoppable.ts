/** A part that holds sockets, timers or connections. After `stop()` resolves, it no longer keeps the process alive. */
export interface Stoppable {
  stop(): Promise<void>;
}

/**
 * Stops parts in the reverse order of their start, so that each stops before the parts that it depends on. Stops all of
 * them even when one fails, and throws the failures together at the end.
 */
export async function stopAll(...startedInOrder: readonly (Stoppable | undefined)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const part of [...startedInOrder].reverse()) {
    try {
      await part?.stop();
    } catch (error) {
      failures.push(error);
    }
  }
  throwFailures(failures);
}

/** Stops parts that do not depend on each other, at the same time. Throws their failures once all have ended. */
export async function stopTogether(...parts: readonly Stoppable[]): Promise<void> {
  const results = await Promise.allSettled(parts.map(async (part) => part.stop()));
  throwFailures(results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : [])));
}

function throwFailures(failures: readonly unknown[]): void {
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, 'Several parts failed to stop');
}
