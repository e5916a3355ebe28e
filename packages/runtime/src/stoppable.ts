/** Anything that holds sockets, timers or connections: after `stop()` resolves nothing of it keeps the process alive. */
export interface Stoppable {
  stop(): Promise<void>;
}

/**
 * Stops parts in the reverse order of how they were started, so that what depends on others goes first. A part that
 * fails does not keep the rest from stopping; all failures are thrown together at the end.
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
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, 'Several parts failed to stop');
}
